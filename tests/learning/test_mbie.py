"""MBIE-EB against its definition."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.learning import DynaQPlus, MbieEb
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
