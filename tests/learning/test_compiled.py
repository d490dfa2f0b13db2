"""Sarsa-φ-EB in one compiled call per decision, compared with its separate parts."""

import copy
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phieb.features import BlobProst
from phieb.learning import CompiledLearner, ComposedLearner, DivergedError, SarsaLambda
from phieb.novelty import PhiBonus, VisitDensity
from phieb.sparse.active_set import ActiveSet
from phieb.worlds import Atari, random_screens
from tests import naive

BonusFor = Literal["arrival", "departure"]


def compiled(num_actions: int, bonus_for: BonusFor = "arrival", **settings: Any) -> CompiledLearner:
    active_set = ActiveSet()
    density = VisitDensity(first_sight=settings.pop("first_sight", 0.5), active_set=active_set)
    bonus = PhiBonus(0.05, 0.01, density, settings.pop("per_feature", False))
    agent = SarsaLambda(num_actions, seed=1, active_set=active_set, **settings)
    return CompiledLearner(BlobProst(), agent, bonus, bonus_for)


class Apart:
    """The same agent from separate parts: `PhiBonus` and the naive Sarsa(λ)."""

    def __init__(self, num_actions: int, bonus_for: BonusFor = "arrival", **settings: Any) -> None:
        density = VisitDensity(first_sight=settings.pop("first_sight", 0.5))
        self.bonus = PhiBonus(0.05, 0.01, density, settings.pop("per_feature", False))
        self.agent, self.bonus_for = naive.SarsaLambda(num_actions, seed=1, **settings), bonus_for
        self.arrived = 0.0

    def start(self, active: NDArray[np.int64]) -> int:
        self.arrived = self.bonus.observe(active)
        return self.agent.start(active)

    def _bonus(self, active: NDArray[np.int64]) -> float:
        left, self.arrived = self.arrived, self.bonus.observe(active)
        return self.arrived if self.bonus_for == "arrival" else left

    def learn(self, active: NDArray[np.int64], reward: float) -> tuple[int, float]:
        extra = self._bonus(active)
        return self.agent.learn(active, reward, extra), extra

    def end(self, active: NDArray[np.int64], reward: float) -> float:
        extra = self._bonus(active)
        self.agent.see(active)
        self.agent.end(reward, extra)
        return extra


def assert_same_step(
    fast: CompiledLearner, slow: Apart, active: NDArray[np.int64], reward: float, ends: bool
) -> int:
    """The same bonus and the same next action, which is returned."""
    if ends:
        action, bonus, *_ = fast.end_from_ids(active, reward)
        assert bonus == pytest.approx(slow.end(active, reward), rel=1e-9)
        return action
    action, bonus, *_ = fast.learn_from_ids(active, reward)
    expected, plain = slow.learn(active, reward)
    assert action == expected
    assert bonus == pytest.approx(plain, rel=1e-9)
    return action


SETTINGS: list[dict[str, Any]] = [
    {"value": "joint"},
    {"value": "split", "continuing": True},
    {"value": "split", "initial_value": 0.5, "bonus_for": "departure", "first_sight": 1.001},
    {"value": "split", "per_feature": True},
    {"value": "joint", "per_feature": True, "first_sight": 1.001},
]


@pytest.mark.interpreted
@given(st.sampled_from(SETTINGS), st.integers(0, 2**32), st.integers(1, 40))
def test_random_episodes(settings: dict[str, Any], seed: int, num_features: int) -> None:
    rng = np.random.default_rng(seed)
    fast = compiled(3, epsilon=0.2, scale_reward=True, **settings)
    slow = Apart(3, epsilon=0.2, scale_reward=True, **settings)

    def features() -> NDArray[np.int64]:
        return np.append(np.flatnonzero(rng.random(num_features) < 0.3), num_features)

    active = features()
    assert fast.start_from_ids(active).action == slow.start(active)
    for _ in range(80):
        active, reward, fate = features(), float(rng.integers(-1, 2)), rng.random()
        assert_same_step(fast, slow, active, reward, ends=fate < 0.05)
        if fate < 0.1:  # ended, or cut
            active = features()
            assert fast.start_from_ids(active).action == slow.start(active)
    for i in range(num_features):
        assert fast.agent.q([i]) == pytest.approx(slow.agent.q([i]), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("per_feature", [False, True])
@pytest.mark.parametrize("game", ["venture", "qbert"])
def test_real_games(game: str, per_feature: bool) -> None:
    settings: dict[str, Any] = {"value": "split", "continuing": True, "scale_reward": True}
    settings["per_feature"] = per_feature
    world, features = Atari(game, max_frames=600), BlobProst()
    fast, slow = compiled(18, **settings), Apart(18, **settings)
    active = features.active(world.reset(seed=3)[0])
    action = fast.start_from_ids(active).action
    assert action == slow.start(active)
    for _ in range(300):
        screen, reward, terminated, truncated, _ = world.step(np.int64(action))
        active = features.active(screen)
        action = assert_same_step(fast, slow, active, reward, ends=terminated)
        if terminated or truncated:
            features.reset()
            active = features.active(world.reset()[0])
            action = fast.start_from_ids(active).action
            assert action == slow.start(active)
    ids = fast.agent.active_set.rows.ids()
    assert fast.agent.q(ids) == pytest.approx(slow.agent.q(ids), rel=1e-9, abs=1e-9)


def composed(num_actions: int, bonus_for: BonusFor = "arrival", **settings: Any) -> ComposedLearner:
    density = VisitDensity(first_sight=settings.pop("first_sight", 0.5))
    bonus = PhiBonus(0.05, 0.01, density, settings.pop("per_feature", False))
    agent = SarsaLambda(num_actions, seed=1, **settings)
    return ComposedLearner(BlobProst(), agent, bonus, bonus_for)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("game", ["venture", "montezuma_revenge"])
def test_the_same_as_composed(game: str, settings: dict[str, Any]) -> None:
    """Algorithm 1 composed and compiled: real screens, with ended and truncated episodes."""
    world = Atari(game, max_frames=500)
    fast, slow = compiled(18, **settings), composed(18, **settings)
    screen, _ = world.reset(seed=4)
    one, two = fast.start(screen), slow.start(screen)
    for _ in range(250):
        assert one.action == two.action
        assert one == pytest.approx(two, rel=1e-9)
        screen, reward, ended, cut = world.decide(one.action)
        one, two = ((each.end if ended else each.learn)(screen, reward) for each in (fast, slow))
        if ended or cut:
            assert one == pytest.approx(two, rel=1e-9)
            screen, _ = world.reset()
            one, two = fast.start(screen), slow.start(screen)
    assert fast.agent.num_observed == slow.agent.num_observed > 100


@pytest.mark.parametrize("phi", [True, False])
def test_more_features_than_the_buffer_holds(phi: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then a second call is made, with the same result."""
    screens = list(random_screens("venture", 60, 1))

    def lived(room: int) -> list[Any]:
        monkeypatch.setattr("phieb.features.screens._CAPACITY", room)
        learner = compiled(18, value="split")
        if not phi:
            learner = CompiledLearner(BlobProst(), SarsaLambda(18, seed=1))
        decisions = [learner.start(screens[0])]
        return decisions + [learner.learn(screen, 1.0) for screen in screens[1:]]

    assert lived(300) == lived(16_384)
    assert max(decision.num_active for decision in lived(300)) > 300


def test_a_copied_learner_is_independent() -> None:
    one = compiled(4, value="split", continuing=True)
    screens = list(random_screens("venture", 40, 1))
    one.start(screens[0])
    for screen in screens[1:20]:
        one.learn(screen, 1.0)
    other = copy.deepcopy(one)
    for screen in screens[20:]:
        assert one.learn(screen, 1.0) == other.learn(screen, 1.0)
    for name, part in one.state().items():
        assert np.array_equal(part, other.state()[name]), name


def test_a_density_that_does_not_share_the_active_set_is_refused() -> None:
    with pytest.raises(TypeError, match="agent's active set"):
        CompiledLearner(BlobProst(), SarsaLambda(2), PhiBonus())


@pytest.mark.interpreted
@pytest.mark.parametrize("precision", ["double", "single"])
def test_a_restored_learner_resumes_exactly(precision: str) -> None:
    rng = np.random.default_rng(0)
    settings: dict[str, Any] = {"value": "split", "continuing": True, "precision": precision}
    one = compiled(4, **settings)
    lives = [np.unique(rng.geometric(0.01, 40)) for _ in range(900)]
    one.start_from_ids(lives[0])
    for k, active in enumerate(lives[1:]):
        if k == 500:
            other = compiled(4, **settings)
            other.restore(one.state())
        if k % 90 == 89:
            outcome = [one.end_from_ids(active, 1.0), one.start_from_ids(active)]
        else:
            outcome = [one.learn_from_ids(active, float(k % 3 == 0))]
        if k >= 500:
            if k % 90 == 89:
                assert outcome == [other.end_from_ids(active, 1.0), other.start_from_ids(active)]
            else:
                assert outcome == [other.learn_from_ids(active, float(k % 3 == 0))]
    mine, its = one.state(), other.state()
    assert mine.keys() == its.keys()
    assert all(np.array_equal(mine[name], its[name]) for name in mine)


def test_divergence_is_detected() -> None:
    agent = SarsaLambda(2, seed=0)
    agent.start([0])
    agent.learn([0], 1e200)
    with pytest.raises(DivergedError, match="action values are not finite"):
        agent.learn([0], 0.0)
