"""UCB1 against its definition."""

import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st

from phieb.learning import Ucb1
from tests import naive


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
