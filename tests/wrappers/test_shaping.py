"""Normalised by the spread of its returns, forgotten at an episode's start, or both."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import given
from hypothesis import strategies as st

from phieb.features import OneHot, Tiles
from phieb.novelty import Bonus, CountBonus, PhiBonus
from phieb.wrappers import ExplorationBonus, VectorExplorationBonus
from phieb.wrappers.shaping import Spread
from tests.wrappers.support import LENGTH, Count, Diary, Forgetful

GAMMA = 0.9


def naive_normalised(bonuses: list[list[float | None]], gamma: float) -> list[list[float | None]]:
    """A row a step, a column an environment, None where an episode starts: by the definition."""
    returns = [0.0]
    under_way = [0.0] * len(bonuses[0])
    found: list[list[float | None]] = []
    for row in bonuses:
        found.append([])
        for i, bonus in enumerate(row):
            if bonus is None:
                under_way[i] = 0.0
                found[-1].append(None)
                continue
            under_way[i] = gamma * under_way[i] + bonus
            returns.append(under_way[i])
            found[-1].append(bonus / float(np.std(returns)))
    return found


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30))
def test_the_spread_is_numpy_s_with_a_zero_in_front(numbers: list[float]) -> None:
    spread = Spread()
    for number in numbers:
        spread.learn(number)
    assert spread.deviation == pytest.approx(np.std([0.0, *numbers]), rel=1e-9, abs=1e-9)


def played(envs: VectorExplorationBonus, steps: int) -> list[list[float | None]]:
    envs.reset()
    found = []
    for _ in range(steps):
        *_, infos = envs.step([0] * envs.num_envs)
        pairs = zip(infos["bonus"], infos["_bonus"], strict=True)
        found.append([float(bonus) if there else None for bonus, there in pairs])
    return found


@pytest.mark.parametrize("num_envs", [1, 3])
def test_normalised_it_is_the_plain_twin_one_estimate_for_all_environments(num_envs: int) -> None:
    """Episodes of different starts; the return of each environment, not the sum over them."""

    def envs(**settings: Any) -> VectorExplorationBonus:
        makers = [lambda i=i: Count(7 * i) for i in range(num_envs)]
        mode = AutoresetMode.NEXT_STEP
        vector = SyncVectorEnv(makers, autoreset_mode=mode)
        return VectorExplorationBonus(vector, PhiBonus(), **settings)

    plain = played(envs(), 5 * (LENGTH + 1))
    normalised = played(envs(normalise="returns", gamma=GAMMA), 5 * (LENGTH + 1))
    twin = naive_normalised(plain, GAMMA)
    assert sum(one is None for row in twin for one in row) == 5 * num_envs
    got, expected = (np.array(rows, float) for rows in (normalised, twin))  # None is NaN
    assert np.allclose(got, expected, rtol=1e-9, atol=0.0, equal_nan=True)


def test_its_scale_does_not_depend_on_beta_nor_on_how_many_environments_there_are() -> None:
    means = {}
    for beta, num_envs in ((0.01, 1), (1.0, 1), (1.0, 8)):
        vector = SyncVectorEnv([Count] * num_envs, autoreset_mode=AutoresetMode.NEXT_STEP)
        bonus = CountBonus(beta)
        envs = VectorExplorationBonus(vector, bonus, normalise="returns")
        rows = played(envs, 160 // num_envs)
        means[beta, num_envs] = np.mean([one for row in rows for one in row if one is not None])
    assert means[0.01, 1] == pytest.approx(means[1.0, 1], rel=1e-9)
    # Summed over eight environments the deviation would be about eight times as large.
    assert 0.4 < means[1.0, 8] / means[1.0, 1] < 2.5


def test_a_bonus_of_zero_stays_zero_and_the_scale_comes_after() -> None:
    env = ExplorationBonus(Count(), CountBonus(beta=0.0), normalise="returns")
    env.reset()
    assert [env.step(0)[-1]["bonus"] for _ in range(3)] == [0.0] * 3
    twice, once = (
        ExplorationBonus(Count(), CountBonus(), normalise="returns", scale=scale)
        for scale in (2.0, 1.0)
    )
    for env in (twice, once):
        env.reset()
    assert twice.step(0)[-1]["bonus"] == 2 * once.step(0)[-1]["bonus"] == 2 * 2.0


def test_the_estimate_is_saved_with_the_bonus(tmp_path: Path) -> None:
    def new(**settings: Any) -> ExplorationBonus:
        return ExplorationBonus(Count(), PhiBonus(), **settings)

    env, later = new(normalise="returns"), new(normalise="returns")
    episode(env)
    env.save(tmp_path / "bonus")
    later.load(tmp_path / "bonus")
    later.unwrapped.state = env.unwrapped.state  # type: ignore[attr-defined]
    assert episode(later) == episode(env)
    with pytest.raises(ValueError, match="normalise is 'returns' there and None here"):
        new().load(tmp_path / "bonus")
    with pytest.raises(ValueError, match=r"gamma is 0.99 there and 0.5 here"):
        new(normalise="returns", gamma=0.5).load(tmp_path / "bonus")
    shaped = later._shaped
    bad = {**shaped.state(), "returns_of_the_bonus": np.array([0.5, 0.0, 1.0])}
    with pytest.raises(ValueError, match="must hold a count, a mean and squares"):
        shaped.restore(bad)


def episode(env: gymnasium.Env[Any, Any]) -> list[float]:
    env.reset()
    return [env.step(0)[-1]["bonus"] for _ in range(LENGTH)]


class Loop(Count):
    """Every episode starts at state 0 again; the states are 0, 1, 0, 1."""

    def reset(self, **settings: Any) -> Any:
        self.state = 0
        return super().reset(**settings)

    def step(self, action: Any) -> Any:
        state, *rest = super().step(action)
        return np.int64(state % 2), *rest


def test_episodic_counts_are_forgotten_when_an_episode_starts() -> None:
    given_bonus = CountBonus(beta=1.0)
    env = ExplorationBonus(Loop(), given_bonus, episodic=True)
    one, half = 1.0, 1 / np.sqrt(2)
    for _ in range(3):  # states 0 | 1, 0, 1 every time
        assert episode(env) == pytest.approx([one, half, half])
    assert given_bonus.num_observed == 0  # a copy counts
    lifelong = ExplorationBonus(Loop(), CountBonus(beta=1.0))
    assert episode(lifelong) > episode(lifelong)


def test_lifelong_times_episodic_is_their_product() -> None:
    both = ExplorationBonus(Loop(), CountBonus(beta=0.5), episodic=CountBonus(beta=1.0))
    lifelong = ExplorationBonus(Loop(), CountBonus(beta=0.5))
    episodic = ExplorationBonus(Loop(), CountBonus(beta=1.0), episodic=True)
    for _ in range(3):
        product = np.multiply(episode(lifelong), episode(episodic))
        assert episode(both) == pytest.approx(product.tolist())
    assert both.step(0)[-1]["pseudocount"] == lifelong.step(0)[-1]["pseudocount"] > 2


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("episodic", [True, False])
def test_every_environment_of_many_has_episodes_of_its_own(
    mode: AutoresetMode, episodic: bool
) -> None:
    lengths = [LENGTH, LENGTH + 2]

    class Longer(Loop):
        def step(self, action: Any) -> Any:
            state, reward, _, _, info = super().step(action)
            over = self.state - self.begun == lengths[1]
            return state, reward, over, False, info

    makers: list[Callable[[], Count]] = [Loop, Longer]
    beta: dict[str, Any] = {"episodic": True} if episodic else {"episodic": CountBonus(1.0)}
    lifelong = CountBonus(beta=1.0)
    envs = VectorExplorationBonus(SyncVectorEnv(makers, autoreset_mode=mode), lifelong, **beta)
    found = played(envs, 24)
    for i, length in enumerate(lengths):
        single = ExplorationBonus([Loop, Longer][i](), CountBonus(1.0), episodic=True)
        single.reset()
        expected = [single.step(0)[-1]["bonus"] for _ in range(length)]
        mine = [row[i] for row in found if row[i] is not None]
        if episodic:
            assert mine[: 2 * length] == pytest.approx(expected * 2)
        else:  # the lifelong part falls
            assert mine[length] < mine[0]  # type: ignore[operator]


def test_a_bonus_with_a_memory_may_be_episodic_in_many_environments() -> None:
    makers = [Count, Count]
    VectorExplorationBonus(SyncVectorEnv(makers), Forgetful(), episodic=True)
    with pytest.raises(ValueError, match="and Forgetful does"):
        VectorExplorationBonus(SyncVectorEnv(makers), Forgetful(), episodic=Diary())


def test_other_episodic_settings_are_refused(tmp_path: Path) -> None:
    def new(episodic: bool | Bonus) -> ExplorationBonus:
        return ExplorationBonus(Count(), PhiBonus(), episodic=episodic)

    new(CountBonus(1.0)).save(tmp_path / "bonus")
    new(CountBonus(1.0)).load(tmp_path / "bonus")
    for other in (True, False, CountBonus(2.0)):
        with pytest.raises(ValueError, match="episodic is .'beta': 1.0, 'bonus': 'CountBonus'"):
            new(other).load(tmp_path / "bonus")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"normalise": "reward"}, "normalise must be \"returns\", got 'reward'"),
        ({"gamma": 1.5}, r"gamma must be a finite number in \[0, 1\], got 1.5"),
        ({"episodic": "yes"}, "episodic must be True, False or a bonus, got 'yes'"),
    ],
)
def test_bad_settings_are_named(settings: dict[str, Any], says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        ExplorationBonus(Count(), Diary(), **settings)


def test_the_wrapper_says_what_it_chose() -> None:
    env = ExplorationBonus(gymnasium.make("MountainCar-v0"), PhiBonus())
    assert isinstance(env.features, Tiles)
    assert repr(env).startswith("<ExplorationBonus(PhiBonus, Tiles(2 components, 8 bins, 8")
    assert "MountainCar-v0" in repr(env) == str(env)
    envs = VectorExplorationBonus(SyncVectorEnv([Count, Count]), CountBonus())
    assert isinstance(envs.features, OneHot)
    assert repr(envs).startswith("<VectorExplorationBonus(CountBonus, OneHot(1000 states))")


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_names_the_element_and_the_environment(wrong: float) -> None:
    class Broken(gymnasium.Env[Any, Any]):
        observation_space = gymnasium.spaces.Box(-1.0, 1.0, (3,))
        action_space = gymnasium.spaces.Discrete(2)

        def reset(self, *, seed: Any = None, options: Any = None) -> Any:
            return np.zeros(3, np.float32), {}

        def step(self, action: Any) -> Any:
            return np.array([0.0, wrong, 0.0], np.float32), 0.0, False, False, {}

    env = ExplorationBonus(Broken(), PhiBonus())
    env.reset()
    says = rf"Broken: observation\[1\] must be a finite number, got {wrong}"
    with pytest.raises(ValueError, match=says):
        env.step(0)
    envs = VectorExplorationBonus(SyncVectorEnv([Broken, Broken]), PhiBonus())
    envs.reset()
    with pytest.raises(ValueError, match=r"environment 0 of .*: observation\[1\] must be"):
        envs.step([0, 0])
