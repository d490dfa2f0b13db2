"""Counts of hashed observations."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phieb.features import Bass, Grey
from phieb.novelty import SimHashBonus
from tests import naive
from tests.novelty.support import check_loads_only_its_own, check_refuses, check_resumes

vectors = st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), max_size=30)
lives = vectors.map(lambda seen: [(vector, 0) for vector in seen])


@given(vectors, st.sampled_from([1, 7, 8, 9, 64, 256]), st.integers(0, 2**40))
def test_the_definition(seen: list[list[int]], bits: int, seed: int) -> None:
    bonus = SimHashBonus(0.5, size=3, bits=bits, seed=seed)
    a = np.random.default_rng(seed).standard_normal((bits, 3), np.float32).tolist()
    codes = [naive.simhash_bits(a, vector) for vector in seen]
    for vector, code in zip(seen, codes, strict=True):
        assert np.unpackbits(bonus.code(vector), count=bits).tolist() == code
    assert [bonus.observe(vector) for vector in seen] == naive.visit_bonuses(0.5, codes)


def test_bits_differ_by_the_angle() -> None:
    """One bit in 180 for every degree, on average."""
    bonus = SimHashBonus(1.0, size=2, bits=20_000)
    east = np.unpackbits(bonus.code([1, 0]))
    for degrees in (10, 45, 90, 135):
        angle = math.radians(degrees)
        other = np.unpackbits(bonus.code([math.cos(angle), math.sin(angle)]))
        assert np.mean(east != other) == pytest.approx(degrees / 180, abs=0.015)


@pytest.mark.parametrize("features", [Grey((52, 52)), Grey(levels=8), Bass()])
def test_screens_as_they_are(features: Grey | Bass) -> None:
    bonus = SimHashBonus(1.0, features.size)
    rng = np.random.default_rng(0)
    one, two = rng.integers(0, 256, (2, 210, 160)).astype(np.uint8)
    two[:150] = 0
    seen = [features.active(screen) for screen in (one, two, one)]
    assert [bonus.observe(picture) for picture in seen] == [1.0, 1.0, 1 / math.sqrt(2)]
    assert bonus.observe(seen[0].reshape(-1).astype(float)) == 1 / math.sqrt(3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lives, lives, st.sampled_from([9, 64]))
def test_stopped_and_restored(tmp_path: Path, first: Any, second: Any, bits: int) -> None:
    check_resumes(lambda: SimHashBonus(0.1, 3, bits, seed=5), first, second, tmp_path / "bonus")


def test_other_files_and_states_are_refused(tmp_path: Path) -> None:
    bonus, other = SimHashBonus(0.1, 3), SimHashBonus(0.1, 3, seed=1)
    check_loads_only_its_own(bonus, other, "seed is 1 there and 0 here", tmp_path / "bonus")
    bonus.observe([1, 2, 3])
    short = {"keys": np.zeros((1, 4), np.uint8)}
    check_refuses(bonus, short, r"state\['keys'\] must be uint8 \(any, 8\), got uint8 \(1, 4\)")


def test_bad_input_is_refused() -> None:
    bonus = SimHashBonus(0.1, 3)
    with pytest.raises(ValueError, match=r"seen must hold 3 numbers, got shape \(2,\)"):
        bonus.observe([1, 2])
    with pytest.raises(TypeError, match="seen must hold numbers, got dtype <U1"):
        bonus.observe(["a", "b", "c"])
    with pytest.raises(ValueError, match=r"seen\[.*\] must be a finite number"):
        bonus.observe([1.0, math.nan, 0.0])
    with pytest.raises(ValueError, match="seen must be an array of numbers, got"):
        bonus.observe([[1], [2, 3]])
    assert bonus.num_observed == 0
    with pytest.raises(ValueError, match="bits must be a whole number >= 1, got 0"):
        SimHashBonus(0.1, 3, bits=0)
    with pytest.raises(TypeError, match="seed must be a whole number >= 0, got None"):
        SimHashBonus(0.1, 3, seed=None)  # type: ignore[arg-type]
