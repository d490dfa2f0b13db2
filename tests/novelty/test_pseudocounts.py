"""Definition 2: the two pseudocounts."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from phieb.novelty import VisitDensity, naive_pseudocount, pseudocount


@given(st.integers(1, 10**6), st.integers(1, 10**9))
def test_the_definition_in_exact_arithmetic(n: int, extra: int) -> None:
    """Where ρ = n/m and ρ′ = (n + 1)/(m + 1), N̂ is n: the footnote of §3.2."""
    m = n + extra
    rho, rho_prime = Fraction(n, m), Fraction(n + 1, m + 1)
    exact = rho * (1 - rho_prime) / (rho_prime - rho)
    assert exact == n
    # A log of a double near 1 is good to 1e-16, and the count depends on differences of size 1/n.
    found = pseudocount(_log(rho), _log(rho_prime))
    assert found == pytest.approx(n, rel=1e-9 + 1e-15 * n * max(1.0, m / extra))


def _log(p: Fraction) -> float:
    return math.log1p(float(p - 1)) if p > Fraction(1, 2) else math.log(p)


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.booleans())
def test_with_one_feature_the_count_is_the_true_one(history: list[bool], phi: bool) -> None:
    """Empirical: N̂ = N; KT adds its half: N̂ = N + ½ (both follow from Definition 2)."""
    n = history.count(phi)
    empirical = VisitDensity(1, estimator="empirical", unobserved="prototype")
    kt = VisitDensity(1, unobserved="prototype")
    for past in history:
        empirical.observe([0] * past)
        kt.observe([0] * past)
    assert pseudocount(*kt.observe([0] * phi)) == pytest.approx(n + 0.5, rel=1e-9)
    found = pseudocount(*empirical.observe([0] * phi))
    assert found == math.inf if n == len(history) else found == pytest.approx(n, rel=1e-9)


@given(st.floats(-1e5, -1e-9), st.floats(1e-9, 700))
def test_no_overflow_and_no_nan(log_rho: float, gain: float) -> None:
    assume(log_rho + gain <= 0)
    count = pseudocount(log_rho, log_rho + gain)
    assert count >= 0.0
    assert math.isfinite(count) or log_rho + gain == log_rho


@pytest.mark.parametrize("log_rho", [-1e5, -1e3, -50.0])
@pytest.mark.parametrize("gain", [1e-3, 1.0, 40.0])
def test_far_down_the_count_depends_on_the_gain_alone(log_rho: float, gain: float) -> None:
    after = log_rho + gain
    expected = -math.expm1(after) / math.expm1(after - log_rho)
    assert pseudocount(log_rho, after) == pytest.approx(expected, rel=1e-12)


def test_a_gain_that_would_overflow() -> None:
    assert pseudocount(-1e5, -1.0) == 0.0
    assert pseudocount(-800.0, -1.0) == pytest.approx(math.exp(-799) * (1 - math.exp(-1)), abs=0)


def test_the_limits() -> None:
    assert pseudocount(-math.inf, -1.0) == 0.0  # no probability before: never seen
    assert pseudocount(-1.0, -1.0) == math.inf  # nothing learnt: seen for ever
    assert pseudocount(-1.0, -2.0) == math.inf  # a gain below 0 is clipped at 0
    assert pseudocount(-1.0, 0.0) == 0.0  # certain after a single sight


@given(st.integers(0, 10**12), st.floats(-1e5, 0))
def test_the_naive_count(t: int, log_rho: float) -> None:
    assert naive_pseudocount(t, log_rho) == t * math.exp(log_rho)


@pytest.mark.parametrize("bad", [0.1, math.nan, math.inf])
def test_invalid_log_probabilities_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="log_rho must be a number or -inf, <= 0"):
        pseudocount(bad, -1.0)
    with pytest.raises(ValueError, match="log_rho_prime must be"):
        pseudocount(-1.0, bad)
    with pytest.raises(ValueError, match="log_rho must be"):
        naive_pseudocount(3, bad)


def test_a_time_below_zero() -> None:
    with pytest.raises(ValueError, match="t must be a whole number >= 0, got -1"):
        naive_pseudocount(-1, -1.0)


def test_an_array_is_refused_as_a_log_probability() -> None:
    with pytest.raises(TypeError, match="log_rho must be a number or -inf, <= 0, got"):
        pseudocount(np.array([-1.0, -2.0]), -0.5)  # type: ignore[arg-type]


def test_zero_is_plain_zero() -> None:
    assert math.copysign(1.0, pseudocount(-1.0, 0.0)) == 1.0
