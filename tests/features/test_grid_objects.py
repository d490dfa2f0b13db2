"""The view of a MiniGrid agent."""

import gymnasium
import minigrid  # noqa: F401 - registers its environments
import numpy as np
import pytest
from gymnasium import spaces

from phieb import arguments
from phieb.features import (
    GridObjects,
)


def test_the_view_of_a_grid() -> None:
    env = gymnasium.make("MiniGrid-DoorKey-5x5-v0")
    features = GridObjects(env.observation_space)
    observation, _ = env.reset(seed=0)
    ids = features.active(observation)
    assert arguments.feature_ids("ids", ids, features.size).size == 7 * 7 + 1
    turned, *_ = env.step(0)  # another direction, another view
    assert features.active(turned)[-1] != ids[-1]
    changed = {**observation, "image": observation["image"].copy(), "mission": "another"}
    assert features.active(changed).tolist() == ids.tolist()
    for code in range(3):  # object, colour and state each tell
        changed["image"] = observation["image"].copy()
        changed["image"][2, 3, code] += 1
        assert np.flatnonzero(features.active(changed) != ids).tolist() == [2 * 7 + 3]
    env.close()


def test_invalid_grid_views_are_refused() -> None:
    with pytest.raises(TypeError, match='observations must be a Dict with "direction" and'):
        GridObjects(spaces.Box(0, 255, (7, 7, 3), np.uint8))
    view = {"image": spaces.Box(0, 255, (2, 2, 3), np.uint8), "direction": spaces.Discrete(4)}
    features = GridObjects(spaces.Dict(view))
    with pytest.raises(ValueError, match=r"image must have shape \(2, 2, 3\), got \(3,\)"):
        features.active({"image": np.zeros(3), "direction": 0})
    with pytest.raises(
        ValueError, match="image must hold codes from 0 to 15, got 255 to 255: is it an RGB image"
    ):
        features.active({"image": np.full((2, 2, 3), 255), "direction": 0})
    with pytest.raises(ValueError, match="image must hold codes from 0 to 15, got -1"):
        features.active({"image": np.full((2, 2, 3), -1), "direction": 0})
    with pytest.raises(ValueError, match="observation must have 'direction'"):
        features.active({"image": np.zeros((2, 2, 3), int)})
