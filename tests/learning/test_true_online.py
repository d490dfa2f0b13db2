"""TrueOnlineSarsaLambda against its plain twin."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.learning import TrueOnlineSarsaLambda
from tests import naive
from tests.learning.support import SETTINGS, assert_resumes, assert_same_decisions


@pytest.mark.interpreted
@given(st.sampled_from(SETTINGS), st.integers(0, 2**32), st.integers(1, 40))
def test_random_episodes(settings: dict[str, Any], seed: int, num_features: int) -> None:
    given_: dict[str, Any] = {"epsilon": 0.2, "seed": 1, **settings}
    agent, twin = TrueOnlineSarsaLambda(3, **given_), naive.TrueOnlineSarsaLambda(3, **given_)
    assert_same_decisions(agent, twin, seed, num_features)


def test_a_restored_agent_resumes_exactly() -> None:
    assert_resumes(lambda: TrueOnlineSarsaLambda(4, value="split", continuing=True, seed=1))


def test_a_state_of_another_kind_is_refused() -> None:
    agent, other = TrueOnlineSarsaLambda(3, seed=1), TrueOnlineSarsaLambda(4, seed=1)
    agent.start([1, 2])
    with pytest.raises(ValueError, match="theta"):
        other.restore(agent.state())
