"""The search for settings, repeated."""

import pytest

from phieb.experiments.small_worlds import plan as plan
from phieb.experiments.small_worlds.search import search


@pytest.mark.slow
def test_the_search_chooses_what_the_plan_says() -> None:
    assert search(lambda: None) == list(plan.CHOSEN)
