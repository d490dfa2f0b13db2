"""What holds for the maps of all spaces, and the map that is chosen for a space."""

from typing import Any

import minigrid  # noqa: F401 - registers its environments
import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st

from phieb import arguments
from phieb.features import (
    Bits,
    FeatureMap,
    FromFunction,
    OneHot,
    OneHotEach,
    Parts,
    RandomBinary,
    Tiles,
    Values,
    features_for,
)

NESTED = spaces.Dict(
    {
        "cell": spaces.Discrete(5, start=2),
        "keys": spaces.MultiBinary([2, 3]),
        "pair": spaces.Tuple([spaces.MultiDiscrete([3, 4]), spaces.Box(-1, 1, (2,))]),
        "screen": spaces.Box(0, 255, (6, 5, 3), np.uint8),
    }
)


@given(st.integers(0, 2**32 - 1))
def test_ids_are_in_range_once_each_and_the_same_again(seed: int) -> None:
    NESTED.seed(seed)
    features, again = features_for(NESTED), features_for(NESTED)
    for observation in (NESTED.sample(), NESTED.sample()):
        ids = features.active(observation)
        assert arguments.feature_ids("ids", ids, features.size).tolist() == ids.tolist()
        assert again.active(observation).tolist() == ids.tolist()


@pytest.mark.parametrize(
    ("space", "kind", "size"),
    [
        (spaces.Discrete(5), OneHot, 5),
        (spaces.MultiBinary(7), Bits, 7),
        (spaces.MultiBinary([2, 3]), Bits, 6),
        (spaces.MultiDiscrete(np.array([[3, 4], [2, 2]])), OneHotEach, 11),
        (spaces.Box(0, 1, (2,)), Tiles, 8 * 9**2),
        (spaces.Box(0, 1, (9,)), RandomBinary, 64),
        (spaces.Box(0, 1, (2, 2)), RandomBinary, 64),
        (spaces.Box(0, 1, ()), RandomBinary, 64),
        (spaces.Box(-np.inf, np.inf, (2,)), RandomBinary, 64),
        (spaces.Box(-3e38, 3e38, (2,)), RandomBinary, 64),
        (spaces.Box(np.array([0.0, 1.0]), np.ones(2), dtype=np.float64), RandomBinary, 64),
        (spaces.Tuple([spaces.Discrete(2), spaces.Discrete(3)]), Parts, 5),
    ],
)
def test_the_choice(space: spaces.Space[Any], kind: type[FeatureMap], size: int) -> None:
    features = features_for(space)
    assert type(features) is kind
    assert features.size == size
    assert features.active(space.sample()).dtype == np.int64


@pytest.mark.parametrize(
    "space",
    [spaces.Text(5), spaces.Sequence(spaces.Discrete(2)), spaces.Dict({"a": spaces.Text(5)})],
)
def test_no_map_for_such_a_space(space: spaces.Space[Any]) -> None:
    with pytest.raises(TypeError, match=r"no feature map is known for .*: pass features="):
        features_for(space)


def test_discrete_values_that_start_elsewhere() -> None:
    features = OneHotEach(spaces.MultiDiscrete([2, 3], start=[10, -1]))
    assert features.active(np.array([11, -1])).tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"must be from \[10, -1\] to \[11, 1\], got \[10, 2\]"):
        features.active([10, 2])
    for bad in ([10], [10.0, 1.0]):
        with pytest.raises(ValueError, match="observation must be 2 whole numbers"):
            features.active(bad)
    with pytest.raises(TypeError, match="observations must be a MultiDiscrete space or a list"):
        OneHotEach(spaces.Discrete(2))


def test_invalid_maps_and_observations_are_refused() -> None:
    for wrong in (OneHot(3), 7):
        with pytest.raises(TypeError, match="maps must be a dictionary or a list of feature maps"):
            Parts(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="observation must have 0, which has a map"):
        Parts([OneHot(3)]).active(3)
    with pytest.raises(TypeError, match=r"maps\[0\]\.active\(…\) must hold whole-number"):
        Parts([Values(1)]).active([0.5])
    empties: list[Any] = [[], np.zeros(0, int)]
    for empty in empties:
        with pytest.raises(TypeError, match="observations must be a MultiDiscrete space or a list"):
            OneHotEach(empty)
    assert OneHotEach(np.array([3, 5])).size == 8
    for make in (Tiles, RandomBinary, features_for):
        with pytest.raises(ValueError, match="must be a whole number >= 1, got 0"):
            make(spaces.Box(0, 1, (0,)))
    with pytest.raises(ValueError, match="low must be below high"):
        Tiles(spaces.Box(-1, 1, (1,)), low=-1e308, high=1e308)
    maps = Bits(2), Tiles(spaces.Box(0, 1, (2,))), RandomBinary(2), FromFunction(lambda x: x)
    for features in maps:
        with pytest.raises(ValueError, match="must be an array of numbers, got"):
            features.active([[1], [2, 3]])
