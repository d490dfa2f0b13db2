"""The square world: Gymnasium's own checks, and how it moves."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from phieb.worlds import Plane


@pytest.mark.parametrize("noise", [0.0, 0.25])
def test_gymnasium_s_checks_pass(noise: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(Plane(4, noise), skip_render_check=True)


def test_without_noise_it_is_a_grid_with_walls_and_a_goal() -> None:
    world = Plane(size=3)
    assert world.reset(seed=0)[0].tolist() == [0.5, 0.5]
    steps = [world.step(np.int64(action)) for action in (1, 3, 0, 0, 0, 2, 2)]
    assert [position.tolist() for position, *_ in steps] == [
        [0.5, 0.5],
        [0.5, 0.5],
        [0.5, 1.5],
        [0.5, 2.5],
        [0.5, 2.5],
        [1.5, 2.5],
        [2.5, 2.5],
    ]
    assert [(reward, over) for _, reward, over, *_ in steps] == [(0.0, False)] * 6 + [(1.0, True)]
    with pytest.raises(gymnasium.error.ResetNeeded):
        world.step(np.int64(0))


def test_with_noise_it_stays_in_the_square() -> None:
    world = Plane(size=2, noise=1.0)
    rng = np.random.default_rng(0)
    over = True
    for _ in range(500):
        if over:
            world.reset(seed=int(rng.integers(1_000)))
        position, _, over, *_ = world.step(np.int64(rng.integers(4)))
        assert np.all((position >= 0.0) & (position < 2.0))


def test_bad_values() -> None:
    with pytest.raises(ValueError, match="size must be a whole number >= 2, got 1"):
        Plane(1)
    with pytest.raises(ValueError, match="noise must be a finite number >= 0"):
        Plane(noise=-0.1)
    world = Plane()
    world.reset(seed=0)
    with pytest.raises(ValueError, match="action must be in"):
        world.step(np.int64(4))
