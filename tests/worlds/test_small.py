"""The small worlds: Gymnasium's own checks, and the dynamics as published."""

import warnings
from collections import Counter

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from phieb.worlds import Bandit, DeepSea, RiverSwim, SixArms, TabularWorld
from phieb.worlds.deep_sea import BEST_RETURN
from phieb.worlds.tabular import tables

IDS = ["phieb/RiverSwim-v0", "phieb/SixArms-v0", "phieb/DeepSea-v0", "phieb/Bandit-v0"]


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_s_checks_pass(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize("size", [10, 30, 50])
def test_deep_sea_of_every_size(size: int) -> None:
    env = gymnasium.make("phieb/DeepSea-v0", size=size)
    check_env(env.unwrapped)


@pytest.mark.parametrize("name", ["phieb/RiverSwim-v0", "phieb/SixArms-v0", "phieb/Bandit-v0"])
def test_worlds_without_an_end_are_cut_after_5000_steps(name: str) -> None:
    env = gymnasium.make(name)
    env.reset(seed=0)
    cuts = [env.step(0)[2:4] for _ in range(5_000)]
    assert cuts[-1] == (False, True)
    assert set(cuts[:-1]) == {(False, False)}


def outcomes(
    env: TabularWorld, state: int, action: int, n: int = 4_000
) -> dict[tuple[int, float], float]:
    """How often each (next state, reward) follows."""
    env.reset(seed=1)
    seen: Counter[tuple[int, float]] = Counter()
    for _ in range(n):
        env._state = np.int64(state)
        arrived, reward, *_ = env.step(np.int64(action))
        seen[int(arrived), reward] += 1
    return {outcome: count / n for outcome, count in seen.items()}


@pytest.mark.parametrize(
    ("state", "action", "published"),
    [
        (0, 0, {(0, 5.0): 1.0}),
        (3, 0, {(2, 0.0): 1.0}),
        (0, 1, {(1, 0.0): 0.3, (0, 0.0): 0.7}),
        (2, 1, {(3, 0.0): 0.3, (2, 0.0): 0.6, (1, 0.0): 0.1}),
        (5, 1, {(5, 10_000.0): 0.3, (4, 0.0): 0.7}),
        (5, 0, {(4, 0.0): 1.0}),
    ],
)
def test_river_swim(state: int, action: int, published: dict[tuple[int, float], float]) -> None:
    assert outcomes(RiverSwim(), state, action) == pytest.approx(published, abs=0.03)


def test_river_swim_starts_in_one_or_two() -> None:
    env = RiverSwim()
    starts = Counter(int(env.reset(seed=s)[0]) for s in range(300))
    assert set(starts) == {1, 2}
    assert min(starts.values()) > 100


@pytest.mark.parametrize(
    ("arm", "chance", "pay"),
    [
        (0, 1.0, 50),
        (1, 0.15, 133),
        (2, 0.1, 300),
        (3, 0.05, 800),
        (4, 0.03, 1_660),
        (5, 0.01, 6_000),
    ],
)
def test_six_arms(arm: int, chance: float, pay: float) -> None:
    env = SixArms()
    entered = outcomes(env, 0, arm).get((arm + 1, 0.0), 0.0)
    assert entered == pytest.approx(chance, abs=0.02 if chance > 0.03 else 0.006)
    assert outcomes(env, arm + 1, arm, 10) == {(arm + 1, pay): 1.0}
    assert outcomes(env, arm + 1, (arm + 1) % 6, 10) == {(0, 0.0): 1.0}


def test_the_bandit_pays_with_its_probabilities() -> None:
    assert outcomes(Bandit(), 0, 0) == pytest.approx({(0, 1.0): 0.9, (0, 0.0): 0.1}, abs=0.02)
    assert outcomes(Bandit(), 0, 9) == pytest.approx({(0, 1.0): 0.6, (0, 0.0): 0.4}, abs=0.03)


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


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="size must be a whole number >= 2, got 1"):
        DeepSea(1)
    with pytest.raises(ValueError, match=r"arms must be a finite number in \[0, 1\], got 1.5"):
        Bandit((0.5, 1.5))
    with pytest.raises(ValueError, match="arms must hold at least one probability"):
        Bandit(())
    env = RiverSwim()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"action must be in Discrete\(2\), got"):
        env.step(np.int64(2))
    with pytest.raises(ValueError, match="must add up to 1"):
        tables([[[(0.5, 0, 0.0)]]], starts=[0])


def test_no_step_after_the_end() -> None:
    env = DeepSea(2)
    env.reset(seed=0)
    env.step(np.int64(0))
    env.step(np.int64(0))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
