"""Deep Sea: returns, sizes, and the random assignment of actions."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from phieb.worlds import DeepSea
from phieb.worlds.deep_sea import BEST_RETURN


@pytest.mark.parametrize("size", [10, 30, 50])
def test_deep_sea_of_every_size(size: int) -> None:
    env = gymnasium.make("phieb/DeepSea-v0", size=size)
    check_env(env.unwrapped)


def dive(env: DeepSea, moves: list[bool]) -> list[float]:
    """The rewards of going right (True) or left at each row, whatever the action is called."""
    env.reset(seed=0)
    right = np.random.default_rng(0).integers(2, size=(env.size, env.size))
    rewards, column = [], 0
    for row, goes_right in enumerate(moves):
        action = right[row, column] if goes_right else 1 - right[row, column]
        _, reward, terminated, _, _ = env.step(action)
        rewards.append(reward)
        assert terminated == (row == env.size - 1)
        column = min(column + 1, env.size - 1) if goes_right else max(column - 1, 0)
    return rewards


def test_deep_sea_returns() -> None:
    assert sum(dive(DeepSea(10), [True] * 10)) == pytest.approx(BEST_RETURN) == 0.99
    assert sum(dive(DeepSea(10), [False] * 10)) == 0.0
    missed = dive(DeepSea(10), [True] * 4 + [False] + [True] * 5)
    assert sum(missed) == pytest.approx(-9 * 0.01 / 10)


def test_another_mapping_seed_gives_another_sea() -> None:
    first, second = DeepSea(10, mapping_seed=0), DeepSea(10, mapping_seed=1)
    assert not np.array_equal(first.tables.successors, second.tables.successors)
    assert np.array_equal(first.tables.successors, DeepSea(10).tables.successors)


def test_no_step_after_the_end() -> None:
    env = DeepSea(2)
    env.reset(seed=0)
    env.step(np.int64(0))
    env.step(np.int64(0))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
