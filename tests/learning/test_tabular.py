"""MBIE-EB, Dyna-Q+ and UCB1 compared with twins that store the whole history."""

import math

import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.learning import DynaQPlus, MbieEb, Ucb1
from tests import naive

transitions = st.lists(
    st.tuples(st.integers(0, 2), st.floats(0, 1), st.booleans()),  # next_state, reward, ended
    min_size=1,
    max_size=12,
)
Transition = tuple[int, float, bool]


def play(
    agent: MbieEb | DynaQPlus, steps: list[Transition]
) -> list[tuple[int, int, float, int | None]]:
    """The transitions of an agent in a fixed sequence of states."""
    s, a = 0, agent.start([0])
    went = []
    for next_state, r, ended in steps:
        went.append((s, a, r, None if ended else next_state))
        if ended:
            agent.end(r)
            s, a = 0, agent.start([0])
        else:
            s, a = next_state, agent.learn([next_state], r)
    return went


@settings(max_examples=25)
@given(transitions)
def test_mbie_eb(steps: list[Transition]) -> None:
    agent = MbieEb(3, 2, beta=0.4, r_max=1.0, gamma=0.9, seed=0)
    twin = naive.MbieEb(3, 2, beta=0.4, r_max=1.0, gamma=0.9)
    for step in play(agent, steps):
        twin.learn(*step)
    for s in range(3):
        assert agent.values(s) == pytest.approx([twin.q[s, a] for a in range(2)], abs=2e-4)


@given(transitions, st.sampled_from([0.0, 0.1]), st.integers(0, 99))
def test_dyna_q_plus(steps: list[Transition], kappa: float, seed: int) -> None:
    """The twin draws the same numbers: with ε = 0 the agent draws for ties and planning only."""
    agent = DynaQPlus(3, 2, kappa=kappa, alpha=0.5, gamma=0.9, num_backups=5, seed=seed)
    rng = np.random.default_rng(seed)
    twin = naive.DynaQPlus(2, kappa, alpha=0.5, gamma=0.9, num_backups=5, rng=rng)
    s = 0
    a = naive.choose([twin.q[s, b] for b in range(2)], 0.0, rng)
    assert agent.start([0]) == a
    for next_state, r, ended in steps:
        twin.learn(s, a, r, None if ended else next_state)
        if ended:
            agent.end(r)
        s = 0 if ended else next_state
        found = agent.start([0]) if ended else agent.learn([next_state], r)
        for state in range(3):
            expected = [twin.q[state, b] for b in range(2)]
            assert agent.values(state) == pytest.approx(expected, rel=1e-12, abs=1e-12)
        a = naive.choose(list(agent.values(s)), 0.0, rng)
        assert found == a


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1)), min_size=1, max_size=30))
def test_ucb1(pulls: list[tuple[int, float]]) -> None:
    agent = Ucb1(4, seed=0)
    for arm, reward in pulls:
        agent.transition(0, arm, reward, 0)
    assert list(agent.values(0)) == pytest.approx(naive.upper_bounds(pulls, 4))


def test_ucb1_pulls_every_arm_before_any_twice() -> None:
    agent = Ucb1(spaces.Discrete(5, start=1), seed=0)
    arms = [agent.start([0])] + [agent.learn([0], 0.5) for _ in range(4)]
    assert sorted(arms) == [1, 2, 3, 4, 5]


def test_features_that_are_not_a_state() -> None:
    agent = MbieEb(3, 2, beta=1.0, r_max=1.0)
    with pytest.raises(ValueError, match="active must hold one id, the state"):
        agent.start([0, 1])
    with pytest.raises(ValueError, match=r"active must hold feature ids in \[0, 2\], got 3"):
        agent.start([3])


def test_bad_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="beta must be a finite number >= 0, got nan"):
        MbieEb(3, 2, beta=math.nan, r_max=1.0)
    with pytest.raises(
        ValueError, match=r"gamma must be a finite number in \[0, 0.9999\], got 1.0"
    ):
        MbieEb(3, 2, beta=1.0, r_max=1.0, gamma=1.0)
    with pytest.raises(ValueError, match="kappa must be a finite number >= 0, got -1.0"):
        DynaQPlus(3, 2, kappa=-1.0)
    with pytest.raises(ValueError, match="scale must be a finite number >= 0"):
        Ucb1(3, scale=-1.0)
    with pytest.raises(TypeError, match="actions must be a Discrete space"):
        Ucb1(spaces.MultiBinary(3))
    with pytest.raises(ValueError, match="seed must be a whole number >= 0, got -1"):
        Ucb1(3, seed=-1)


def test_no_learning_before_an_episode_starts() -> None:
    agent = MbieEb(3, 2, beta=1.0, r_max=1.0)
    with pytest.raises(RuntimeError, match="call start first"):
        agent.learn([0], 1.0)
    agent.start([0])
    agent.end(1.0)
    with pytest.raises(RuntimeError, match="call start first"):
        agent.end(1.0)
    assert agent.model.clock[0] == 1
