"""Section 4: both lemmas, the theorem and its corollary, on random histories.

All are stated for the empirical estimator. Lemma 1 as printed needs M >= 2: its first step,
√x ≤ x^(1/M), is false for M = 1 (see docs/deviations.md); the theorem holds for M = 1 too.
"""

import math

from hypothesis import given
from hypothesis import strategies as st

from phieb.novelty import VisitDensity, hamming_similarity, naive_pseudocount
from tests.novelty.test_density import Vector, histories, on

ROUNDING = 1e-12


def observed(history: list[Vector], num_features: int) -> VisitDensity:
    density = VisitDensity(num_features, estimator="empirical", unobserved="prototype")
    for past in history:
        density.observe(on(past))
    return density


def factors(history: list[Vector], phi: Vector) -> list[float]:
    """ρ_t^i(φ_i), each from a density over that one feature."""
    return [
        math.exp(observed([(past[i],) for past in history], 1).log_density([0] * phi[i]))
        for i in range(len(phi))
    ]


@given(histories(min_length=1))
def test_lemma_1(case: tuple[list[Vector], Vector]) -> None:
    history, phi = case
    root = math.exp(observed(history, len(phi)).log_density(on(phi)) / 2)
    mean = sum(factors(history, phi)) / len(phi)
    if len(phi) >= 2:
        assert root <= mean + ROUNDING


def test_lemma_1_fails_for_a_single_feature() -> None:
    history: list[Vector] = [(1,), (0,)]
    phi = (1,)
    assert math.exp(observed(history, 1).log_density([0]) / 2) > factors(history, phi)[0]


@given(histories(min_length=1))
def test_lemma_2(case: tuple[list[Vector], Vector]) -> None:
    history, phi = case
    for i, factor in enumerate(factors(history, phi)):
        distances = [1 - abs(phi[i] - past[i]) for past in history]
        assert math.isclose(factor, sum(distances) / len(history), abs_tol=ROUNDING)


@given(histories(min_length=1))
def test_theorem_1(case: tuple[list[Vector], Vector]) -> None:
    history, phi = case
    rho = math.exp(observed(history, len(phi)).log_density(on(phi)))
    similarity = sum(hamming_similarity(phi, past) for past in history) / len(history)
    assert rho <= similarity + ROUNDING


@given(histories(min_length=1))
def test_corollary_1(case: tuple[list[Vector], Vector]) -> None:
    history, phi = case
    t, log_rho = len(history), observed(history, len(phi)).log_density(on(phi))
    similarity = sum(hamming_similarity(phi, past) for past in history)
    assert naive_pseudocount(t, log_rho) <= similarity + t * ROUNDING


@given(st.integers(1, 6), st.data())
def test_similarity_is_in_the_unit_interval_and_one_only_for_equals(
    m: int, data: st.DataObject
) -> None:
    vector = st.tuples(*[st.integers(0, 1)] * m)
    phi, other = data.draw(vector), data.draw(vector)
    similarity = hamming_similarity(phi, other)
    assert 0.0 <= similarity <= 1.0
    assert (similarity == 1.0) == (phi == other)
    assert similarity == hamming_similarity(other, phi)
