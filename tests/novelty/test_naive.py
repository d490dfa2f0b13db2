"""The bonus with the naive pseudocount."""

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phieb.novelty import CountableDensity, NaivePhiBonus, VisitDensity
from tests import naive
from tests.novelty.support import check_loads_only_its_own, check_refuses, check_resumes

observations = st.lists(st.sets(st.integers(0, 20), max_size=6).map(sorted), max_size=12)
lives = observations.map(lambda history: [(active, 0) for active in history])


@given(observations, st.floats(0, 10), st.floats(1e-6, 1))
def test_the_definition(history: list[list[int]], beta: float, kappa: float) -> None:
    bonus = NaivePhiBonus(beta, kappa)
    for t, active in enumerate(history):
        count = t * math.exp(naive.leave_out_log_density(history[:t], active))
        value = bonus.observe(active)
        assert bonus.pseudocount == pytest.approx(count, rel=1e-9)
        assert value == beta / math.sqrt(bonus.pseudocount + kappa)


@given(st.lists(st.integers(0, 3), max_size=20))
def test_with_empirical_factors_of_one_component_it_is_the_count(states: list[int]) -> None:
    bonus = NaivePhiBonus(density=CountableDensity(1))
    for t, state in enumerate(states):
        bonus.observe([state])
        assert bonus.pseudocount == pytest.approx(states[:t].count(state), rel=1e-12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lives, lives)
def test_stopped_and_restored(tmp_path: Path, first: Any, second: Any) -> None:
    check_resumes(NaivePhiBonus, first, second, tmp_path / "bonus")


def test_other_files_and_states_are_refused(tmp_path: Path) -> None:
    words = "estimator is 'kt' there and 'empirical' here"
    other = NaivePhiBonus(density=VisitDensity(estimator="empirical"))
    check_loads_only_its_own(other, NaivePhiBonus(), words, tmp_path / "bonus")
    bonus = NaivePhiBonus()
    bonus.observe([1, 2])
    check_refuses(bonus, {"counts": bonus.state()["counts"][:1]}, r"state\['counts'\] must be")


def test_a_density_without_time() -> None:
    class Timeless:
        def nothing(self) -> None: ...

        observe = settings = state = restore = nothing

    with pytest.raises(TypeError, match="density must have t, its number of observations, got"):
        NaivePhiBonus(density=Timeless())  # type: ignore[arg-type]
