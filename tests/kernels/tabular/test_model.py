"""Whole episodes of compiled MBIE-EB, Dyna-Q+ and UCB1, compared with their public classes."""

import numpy as np
import pytest
from gymnasium.wrappers import TimeLimit
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.features import OneHot
from phieb.kernels.tabular import bandit, model
from phieb.learning import Agent, DynaQPlus, MbieEb, Ucb1
from phieb.learning.dyna import dyna_settings
from phieb.learning.mbie import mbie_settings
from phieb.training import run_episode
from phieb.worlds import Bandit, DeepSea, RiverSwim, SixArms, TabularWorld

pytestmark = pytest.mark.interpreted

STEPS = 60


def plain(world: TabularWorld, agent: Agent, seed: int) -> float:
    features = OneHot(world.tables.successors.shape[0])
    return run_episode(TimeLimit(world, STEPS), features, agent, seed=seed).score


@settings(max_examples=10)
@given(st.sampled_from([RiverSwim(), SixArms(), DeepSea(4)]), st.integers(0, 99))
def test_mbie_eb(world: TabularWorld, seed: int) -> None:
    num_states, num_actions, _ = world.tables.successors.shape
    chosen = mbie_settings(beta=400.0, r_max=1_000.0, gamma=0.9)
    memory = model.new_model(num_states, num_actions, chosen.unvisited)
    rngs = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    total = model.mbie_episode(world.tables, chosen, memory, *rngs, STEPS)
    agent = MbieEb(num_states, num_actions, beta=400.0, r_max=1_000.0, gamma=0.9, seed=seed + 1)
    assert total == pytest.approx(plain(world, agent, seed))
    assert np.array_equal(memory.q, agent.model.q)
    assert memory.visits.sum() == memory.clock[0] > 0


@settings(max_examples=10)
@given(st.sampled_from([RiverSwim(), SixArms(), DeepSea(4)]), st.integers(0, 99))
def test_dyna_q_plus(world: TabularWorld, seed: int) -> None:
    num_states, num_actions, _ = world.tables.successors.shape
    chosen = dyna_settings(kappa=1.0, alpha=0.3, gamma=0.9, epsilon=0.1, num_backups=5)
    memory = model.new_model(num_states, num_actions, 0.0)
    rngs = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    total = model.dyna_episode(world.tables, chosen, memory, *rngs, STEPS)
    agent = DynaQPlus(num_states, num_actions, **chosen._asdict(), seed=seed + 1)
    assert total == pytest.approx(plain(world, agent, seed))
    assert np.array_equal(memory.q, agent.model.q)


@given(st.integers(0, 99))
def test_ucb1(seed: int) -> None:
    world = Bandit((0.2, 0.8, 0.5))
    sums, pulls = np.zeros(3), np.zeros(3, np.int64)
    rngs = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    total = bandit.ucb_episode(world.tables, 1.0, sums, pulls, *rngs, STEPS)
    agent = Ucb1(3, seed=seed + 1)
    assert total == plain(world, agent, seed) == sums.sum()
    # The last pull has no next state to choose in: both have learnt from all of them.
    assert pulls.tolist() == agent.pulls.tolist()
