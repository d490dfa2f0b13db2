"""Definition 1 for features with countably many values."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.novelty import CountableDensity, PhiBonus, VisitDensity
from tests.novelty.test_density import Vector, histories, on

values = st.one_of(st.integers(0, 3), st.sampled_from(["red", "blue"]), st.just((1, "x")))
vectors = st.lists(st.tuples(values, values, values), max_size=12)


@given(histories())
def test_two_values_are_the_binary_density(case: tuple[list[Vector], Vector]) -> None:
    history, phi = case
    binary = VisitDensity(len(phi), unobserved="prototype")
    countable = CountableDensity(len(phi), alphabet_size=2)
    for past in [*history, phi]:
        assert countable.observe(past) == pytest.approx(binary.observe(on(past)), abs=1e-12)


@given(vectors, st.tuples(values, values, values))
def test_empirical_is_the_share_of_each_value(
    history: list[tuple[object, ...]], phi: tuple[object, ...]
) -> None:
    density = CountableDensity(3)
    for past in history:
        density.observe(past)
    shares = [sum(past[i] == phi[i] for past in history) / max(len(history), 1) for i in range(3)]
    rho = math.exp(density.log_density(phi))
    assert rho == pytest.approx(math.prod(shares), rel=1e-12, abs=0)


@given(st.lists(st.integers(0, 4), max_size=20))
def test_kt_over_an_alphabet_adds_up_to_one_and_always_learns(history: list[int]) -> None:
    density = CountableDensity(1, alphabet_size=5)
    for past in history:
        log_rho, log_rho_prime = density.observe([past])
        assert log_rho_prime > log_rho
    assert math.fsum(math.exp(density.log_density([v])) for v in range(5)) == pytest.approx(1.0)


@given(vectors)
def test_a_restored_density_is_the_same(history: list[tuple[object, ...]]) -> None:
    density, copy = CountableDensity(3), CountableDensity(3)
    for past in history:
        density.observe(past)
    copy.restore(density.state())
    assert copy.t == density.t
    for past in history:
        assert density.observe(past) == copy.observe(past)


def test_numpy_values_are_plain_values() -> None:
    density = CountableDensity(2)
    density.observe(np.array([3, 4]))
    assert density.log_density([3, 4]) == 0.0


def test_the_bonus_counts_with_it(tmp_path: "pytest.TempPathFactory") -> None:
    bonus = PhiBonus(beta=1.0, density=CountableDensity(2, alphabet_size=4))
    first = bonus.observe(("a", 1))
    assert bonus.observe(("a", 1)) < first
    file = tmp_path / "bonus.safetensors"  # type: ignore[operator]
    bonus.save(file)
    copy = PhiBonus(beta=1.0, density=CountableDensity(2, alphabet_size=4))
    copy.load(file)
    assert copy.observe(("b", 1)) == bonus.observe(("b", 1))


def test_bad_input_is_refused() -> None:
    density = CountableDensity(2, alphabet_size=2)
    with pytest.raises(ValueError, match="one entry for each of 2 components"):
        density.observe([1])
    for unordered in (None, {1, 2}, {1: 2, 3: 4}, "ab"):
        with pytest.raises(ValueError, match="one entry for each of 2 components"):
            density.observe(unordered)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"values\[1\] must not be NaN"):
        density.observe([1, math.nan])
    with pytest.raises(TypeError, match=r"values\[0\] must be a number, a string or a tuple"):
        density.observe([None, 1])
    density.observe([1, 1])
    density.observe([2, 1])
    with pytest.raises(ValueError, match=r"values\[0\] must come from an alphabet of 2 values"):
        density.observe([3, 1])
    assert density.t == 2
    with pytest.raises(ValueError, match="alphabet_size must be a whole number >= 2, got 1"):
        CountableDensity(2, alphabet_size=1)
    with pytest.raises(ValueError, match="alphabet_size must be one number or 2 of them, got 3"):
        CountableDensity(2, alphabet_size=[2, 2, 2])
    with pytest.raises(ValueError, match="counts_json"):
        density.restore({"t": np.array([9]), "counts_json": density.state()["counts_json"]})
    many = CountableDensity(1)
    for value in range(3):
        many.observe([value])
    with pytest.raises(ValueError, match="none with more values than its alphabet"):
        CountableDensity(1, alphabet_size=2).restore(many.state())


@pytest.mark.parametrize("pairs", [[["a", -1], ["b", 3]], [["a", 0.5], ["b", 1.5]]])
def test_invalid_counts_are_refused(pairs: list[list[object]]) -> None:
    text = np.frombuffer(json.dumps([pairs]).encode(), np.uint8)
    with pytest.raises(ValueError, match="must hold 1 tables of counts"):
        CountableDensity(1).restore({"t": np.array([2]), "counts_json": text})
    with pytest.raises(ValueError, match="values must have one entry for each of 1 components"):
        CountableDensity(1).observe(np.array(3))
