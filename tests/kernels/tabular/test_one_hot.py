"""The compiled tabular agent takes the same actions as the public parts combined."""

import math

import numpy as np
import pytest
from gymnasium.wrappers import TimeLimit
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.features import OneHot
from phieb.kernels.tabular import one_hot
from phieb.learning import SarsaLambda
from phieb.novelty import PhiBonus, VisitDensity, pseudocount
from phieb.training import run_episode
from phieb.worlds import DeepSea, RiverSwim, SixArms, TabularWorld

pytestmark = pytest.mark.interpreted


@given(st.lists(st.integers(0, 6), max_size=60))
def test_the_pseudocount(states: list[int]) -> None:
    memory, density = one_hot.new_memory(7, 2, 0.0), VisitDensity()
    for state in states:
        found = one_hot.observe(memory, state)
        assert found == pytest.approx(pseudocount(*density.observe([state])), rel=1e-9)


@settings(max_examples=15)
@given(
    st.sampled_from([RiverSwim(), SixArms(), DeepSea(5)]),
    st.sampled_from([0.0, 0.05, 100.0]),
    st.sampled_from([0.0, 0.9]),
    st.sampled_from([0.0, 0.1]),
    st.booleans(),
    st.integers(0, 1_000),
)
def test_the_same_decisions_and_weights(
    world: TabularWorld, beta: float, lambda_: float, epsilon: float, optimistic: bool, seed: int
) -> None:
    kappa, start = 0.01, beta / math.sqrt(0.01) if optimistic else 0.0
    num_states, num_actions, _ = world.tables.successors.shape
    chosen = one_hot.Settings(0.3, 0.95, lambda_, epsilon, beta, kappa)
    memory = one_hot.new_memory(num_states, num_actions, start)
    rngs = np.random.default_rng(seed), np.random.default_rng(seed + 1)

    agent = SarsaLambda(world.action_space, alpha=0.3, gamma=0.95, lambda_=lambda_,
                        epsilon=epsilon, initial_value=start, seed=seed + 1)  # fmt: skip
    bonus = PhiBonus(beta, kappa) if beta else None
    env = TimeLimit(world, 40)
    for episode in range(4):
        compiled = one_hot.episode(world.tables, chosen, memory, *rngs, 40)
        plain = run_episode(env, OneHot(num_states), agent, bonus, seed=None if episode else seed)
        assert compiled == pytest.approx(plain.score)
    for state in np.flatnonzero(memory.row_of >= 0):
        # The kernel has weights for terminal states too; the agent never sees those.
        if not world.tables.terminal[state]:
            assert memory.theta[state] == pytest.approx(agent.q([state]), rel=1e-9, abs=1e-9)


def test_deep_sea_is_solved_when_fewer_than_90_percent_were_bad() -> None:
    """The rule itself, on the returns of the same episodes with the public parts."""
    world = DeepSea(6, mapping_seed=3)
    chosen = one_hot.Settings(0.5, 0.99, 0.9, 0.0, 0.05, 0.01)
    memory = one_hot.new_memory(37, 2, 0.5)
    rngs = np.random.default_rng(8), np.random.default_rng(9)
    found = one_hot.episodes_to_solve(world.tables, chosen, memory, *rngs, 0.5, 500)

    agent = SarsaLambda(2, epsilon=0.0, initial_value=0.5, seed=9)
    bonus, features = PhiBonus(0.05, 0.01), OneHot(37)
    bad, n = 0, 0
    while n == 0 or bad >= 0.9 * n:
        seed = None if n else 8
        bad += run_episode(world, features, agent, bonus, seed=seed).score < 0.9
        n += 1
    assert found == n > 1


def test_deep_sea_not_solved() -> None:
    chosen = one_hot.Settings(0.5, 0.99, 0.9, 0.1, 0.0, 0.01)
    rngs = np.random.default_rng(0), np.random.default_rng(1)
    memory = one_hot.new_memory(401, 2, 0.0)
    assert one_hot.episodes_to_solve(DeepSea(20).tables, chosen, memory, *rngs, 0.5, 20) == 0
