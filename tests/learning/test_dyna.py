"""Dyna-Q+ against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.learning import DynaQPlus
from tests import naive

transitions = st.lists(
    st.tuples(st.integers(0, 2), st.floats(0, 1), st.booleans()),  # next_state, reward, ended
    min_size=1,
    max_size=12,
)

Transition = tuple[int, float, bool]


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
