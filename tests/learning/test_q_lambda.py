"""QLambda against its plain twin."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.learning import QLambda
from tests import naive
from tests.learning.support import SETTINGS, assert_resumes, assert_same_decisions


@pytest.mark.interpreted
@given(st.sampled_from(SETTINGS), st.integers(0, 2**32), st.integers(1, 40))
def test_random_episodes(settings: dict[str, Any], seed: int, num_features: int) -> None:
    given_: dict[str, Any] = {"epsilon": 0.2, "seed": 1, **settings}
    agent, twin = QLambda(3, **given_), naive.QLambda(3, **given_)
    assert_same_decisions(agent, twin, seed, num_features)


def test_a_restored_agent_resumes_exactly() -> None:
    assert_resumes(lambda: QLambda(4, value="split", continuing=True, seed=1))
