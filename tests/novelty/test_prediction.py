"""MP-EB: the formula, what is learnt, and keeping it."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phieb.novelty import PredictionErrorBonus
from tests import naive
from tests.novelty.support import (
    Step,
    check_loads_only_its_own,
    check_refuses,
    check_resumes,
    outputs,
)

actives = st.sets(st.integers(0, 20), max_size=6).map(sorted)
lives = st.lists(st.tuples(actives, st.none() | st.integers(0, 2)), max_size=20)


@given(lives, st.sampled_from([None, 0.001, 2.0]), st.floats(0.01, 1.0), st.integers(0, 2**63 - 1))
def test_the_formula(steps: list[Step], decay: float | None, rate: float, seed: int) -> None:
    bonus = PredictionErrorBonus(0.5, 3, size=8, decay=decay, learning_rate=rate, seed=seed)
    twin = naive.PredictionError(3, 8, rate, seed)
    t = 0
    for active, action in steps:
        if action is None:
            bonus.reset()
        found, expected = bonus.observe(active, action), twin.observe(active, action)
        if expected is None:
            assert found == 0.0
        else:
            t += 1
            divisor = 1.0 if decay is None else t * decay
            assert found * divisor == pytest.approx(0.5 * expected, rel=1e-6, abs=1e-12)
        assert math.isnan(bonus.pseudocount)
        assert bonus.t == t


def test_only_the_bonus_of_predictable_transitions_vanishes() -> None:
    """Action 0 goes around a ring; action 1 leads to places never seen."""
    bonus = PredictionErrorBonus(1.0, 2, decay=None, learning_rate=0.5)
    ring = [[k, k + 10, k + 20] for k in range(5)]
    bonus.observe(ring[0])
    around = [bonus.observe(ring[k % 5], 0) for k in range(1, 400)]
    assert max(around[:5]) > 0.1
    assert max(around[-5:]) < 1e-3
    assert bonus.observe([100, 101, 102], 1) > 0.3


def test_the_bonus_of_the_same_error_decays() -> None:
    early, late = PredictionErrorBonus(1.0, 1), PredictionErrorBonus(1.0, 1)
    for k in range(100):
        late.observe([k], 0)
    early.observe([100], 0)
    assert early.observe([200], 0) > 20 * late.observe([200], 0)


def test_no_bonus_at_the_start_of_an_episode() -> None:
    bonus = PredictionErrorBonus(1.0, 2)
    assert outputs(bonus, [([1], None)]) == ["0x0.0p+0 nan"]
    bonus.observe([2], 1)
    bonus.reset()
    assert bonus.observe([3], 1) == 0.0
    assert bonus.t == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lives, lives)
def test_stopped_and_restored(tmp_path: Path, first: Any, second: Any) -> None:
    check_resumes(lambda: PredictionErrorBonus(0.1, 3, size=16), first, second, tmp_path / "b")


def test_other_files_and_states_are_refused(tmp_path: Path) -> None:
    bonus, other = PredictionErrorBonus(0.1, 2, 4), PredictionErrorBonus(0.1, 2, 8, decay=None)
    words = "size is 8 there and 4 here; decay is None there and 1.0 here"
    check_loads_only_its_own(bonus, other, words, tmp_path / "b")
    outputs(bonus, [([1], None), ([2], 0)])
    for changed, words in (
        ({"model": np.zeros((2, 4, 3))}, r"must be float64 \(2, 4, 4\), got float64 \(2, 4, 3\)"),
        ({"model": np.full((2, 4, 4), np.inf)}, r"state\['model'\] must hold finite numbers"),
        ({"before": np.zeros(3)}, r"state\['before'\] must hold 0 or 4, got 3"),
        ({"largest_error": np.array([-1.0])}, r"\['t'\] must be >= 0, got -1.0 and 1"),
        ({"t": np.array([-1])}, "must be >= 0, got .* and -1"),
    ):
        check_refuses(bonus, changed, words)


def test_bad_input_is_refused_and_changes_nothing() -> None:
    bonus, untouched = PredictionErrorBonus(0.1, 2), PredictionErrorBonus(0.1, 2)
    for one in (bonus, untouched):
        one.observe([1])
    with pytest.raises(ValueError, match=r"action must be a whole number in \[0, 1\], got 2"):
        bonus.observe([2], 2)
    with pytest.raises(ValueError, match="seen must list each feature id once"):
        bonus.observe([2, 2], 0)
    assert bonus.observe([2], 1) == untouched.observe([2], 1)
    for argument, wrong, words in (
        ("num_actions", 0, "num_actions must be a whole number >= 1, got 0"),
        ("decay", 0.0, "decay must be a finite number > 0, got 0.0"),
        ("learning_rate", 1.5, "learning_rate must be a finite number > 0 and <= 1, got 1.5"),
        ("size", 0, "size must be a whole number >= 1, got 0"),
    ):
        with pytest.raises(ValueError, match=words):
            PredictionErrorBonus(**{"beta": 0.1, "num_actions": 2, argument: wrong})  # type: ignore[arg-type]
