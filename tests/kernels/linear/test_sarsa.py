"""Sarsa(λ) with lazy traces, compared with the naive one that updates everything."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.features import BlobProst
from phieb.learning import SarsaLambda
from phieb.novelty import PhiBonus
from phieb.worlds import Atari
from tests import naive

SETTINGS: list[dict[str, Any]] = [
    {"value": "joint"},
    {"value": "joint", "lambda_": 1.0, "gamma": 1.0, "initial_value": 2.0},
    {"value": "joint", "lambda_": 0.0},
    {"value": "split", "initial_value": 0.5, "scale_reward": True},
    {"value": "split", "continuing": True, "lambda_": 0.95},
]


@pytest.mark.interpreted
@given(st.sampled_from(SETTINGS), st.integers(0, 2**32), st.integers(1, 40))
def test_random_episodes(settings: dict[str, Any], seed: int, num_features: int) -> None:
    """Long enough that features come and go, many times in an episode and across episodes."""
    rng = np.random.default_rng(seed)
    fast = SarsaLambda(3, epsilon=0.2, seed=1, **settings)
    slow = naive.SarsaLambda(3, epsilon=0.2, seed=1, **settings)

    def features() -> list[int]:
        return np.flatnonzero(rng.random(num_features) < 0.3).tolist() or [0]

    active = features()
    assert fast.start(active) == slow.start(active)
    for _ in range(80):
        active, reward, bonus = features(), float(rng.integers(-1, 2)), float(rng.random())
        fate = rng.random()
        if fate < 0.05:
            fast.end(reward, bonus)
            slow.end(reward, bonus)
        else:
            assert fast.learn(active, reward, bonus) == slow.learn(active, reward, bonus)
        if fate < 0.1:  # ended, or cut
            active = features()
            assert fast.start(active) == slow.start(active)
    for i in range(num_features):
        assert fast.q([i]) == pytest.approx(slow.q([i]), rel=1e-9, abs=1e-9)
        assert fast.q_extrinsic([i]) == pytest.approx(slow.q_extrinsic([i]), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("settings", [SETTINGS[0], SETTINGS[4]])
@pytest.mark.parametrize("game", ["venture", "qbert"])
def test_real_games(game: str, settings: dict[str, Any], precision: Any) -> None:
    """φ-EB on Blob-PROST features: the same actions, weights equal to rounding."""
    world, features, bonus = Atari(game, max_frames=600), BlobProst(), PhiBonus()
    fast = SarsaLambda(18, seed=1, precision=precision, scale_reward=True, **settings)
    slow = naive.SarsaLambda(18, seed=1, scale_reward=True, **settings)
    screen, _ = world.reset(seed=3)
    active = features.active(screen)
    bonus.observe(active)
    action = fast.start(active)
    assert action == slow.start(active)
    seen: set[int] = set(active.tolist())
    for _ in range(160):
        screen, reward, terminated, truncated, _ = world.step(np.int64(action))
        active = features.active(screen)
        seen.update(active.tolist())
        extra = bonus.observe(active)
        if terminated:
            fast.end(reward, extra)
            slow.end(reward, extra)
        else:
            action = fast.learn(active, reward, extra)
            assert action == slow.learn(active, reward, extra)
        if terminated or truncated:
            features.reset()
            active = features.active(world.reset()[0])
            action = fast.start(active)
            assert action == slow.start(active)
    tolerance = 1e-9 if precision == "double" else 1e-5
    ids = sorted(seen)
    assert fast.q(ids) == pytest.approx(slow.q(ids), rel=tolerance, abs=10 * tolerance)
    for i in ids[:: len(ids) // 100 + 1]:
        assert fast.q([i]) == pytest.approx(slow.q([i]), rel=tolerance, abs=tolerance)


@pytest.mark.interpreted
def test_an_episode_of_any_length_can_end() -> None:
    """Also when the capacity for updates is just reached; interpreted, an overrun raises."""
    for length in (62, 63, 64, 65, 126, 127, 128, 129):
        fast, slow = SarsaLambda(2, seed=0), naive.SarsaLambda(2, seed=0)
        for agent in (fast, slow):
            agent.start([0])
            for n in range(length):
                agent.learn([n % 3, 3 + n % 2], 1.0)
            agent.end(2.0)
        assert fast.q([0, 1, 2]) == pytest.approx(slow.q([0, 1, 2]), rel=1e-9)


def test_a_step_allocates_nothing_once_all_features_are_known() -> None:
    agent = SarsaLambda(2, seed=0)
    for _ in range(3):
        agent.start([0, 1])
        for n in range(200):
            agent.learn([n % 7, 7 + n % 5], 0.0)
        agent.end(1.0)
        sizes = [part.shape for part in (*agent.linear.tables, *agent.active_set.tables)]
    agent.start([0, 1])
    for n in range(150):
        agent.learn([n % 7, 7 + n % 5], 0.0)
    assert [part.shape for part in (*agent.linear.tables, *agent.active_set.tables)] == sizes


def lived() -> SarsaLambda:
    """An agent in the middle of its second episode; feature 9 is on, the others come and go."""
    agent = SarsaLambda(3, seed=0, value="split")
    for _ in range(2):
        agent.start([0, 9])
        for n in range(30):
            agent.learn([n % 5, 9], 1.0, 0.1)
    return agent


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"gone": lambda a: np.zeros_like(a)}, "each row once"),
        ({"gone": lambda a: a + 100}, "'gone'"),
        ({"since": lambda a: a + 31}, "'since'"),
        ({"since": lambda a: np.full_like(a, -2)}, "'since'"),
        ({"since": lambda a: a - 1}, "'since'"),
        ({"sizes": lambda a: a - [0, 0, 5]}, "'sizes'"),
        ({"sizes": lambda a: a - [0, 0, -(2**31)]}, "'sizes'"),
        ({"taken": lambda a: a + 3}, "'taken'"),
        ({"last": lambda a: a[::-1].copy()}, "'last'"),
        ({"active": lambda a: a[::-1].copy()}, "'active'"),
        ({"table": lambda a: a[:, :-1].copy()}, "'table'"),
        ({"numbers": lambda a: a + 1.0}, "'numbers'"),
    ],
)
def test_a_state_with_indices_out_of_bounds_is_refused(bad: dict[str, Any], says: str) -> None:
    """And the agent is unchanged."""
    agent, other = lived(), lived()
    state = agent.state()
    ((name, change),) = bad.items()
    with pytest.raises(ValueError, match=says):
        agent.restore({**state, name: change(state[name])})
    for n in range(40):
        assert agent.learn([n % 7, 9], 0.5) == other.learn([n % 7, 9], 0.5)
    for name, part in other.state().items():
        assert np.array_equal(agent.state()[name], part), name


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])  # noqa: S301
def test_a_copy_acts_as_its_original_and_grows(copied: Any) -> None:
    agent = lived()
    other = copied(agent)
    for n in range(200):  # beyond the initial capacity of 64 rows
        assert agent.learn([n % 7, 9 + n], 0.5) == other.learn([n % 7, 9 + n], 0.5)
    for name, part in other.state().items():
        assert np.array_equal(agent.state()[name], part), name


@pytest.mark.interpreted
def test_other_decays() -> None:
    """Traces that outlast the stored powers of γλ."""
    settings: dict[str, Any] = {"gamma": 1.0, "lambda_": 0.995}
    fast, slow = SarsaLambda(2, seed=0, **settings), naive.SarsaLambda(2, seed=0, **settings)
    for agent in (fast, slow):
        agent.start([0])
        for n in range(900):
            agent.learn([n % 3, 3 + (n == 5)], 1.0 if n % 100 == 0 else 0.0)
    for i in range(5):
        assert fast.q([i]) == pytest.approx(slow.q([i]), rel=1e-9, abs=1e-9)
