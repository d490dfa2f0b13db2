"""Hashed features and the model's steps against plain ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.arguments import MAX_ID
from phieb.kernels.novelty.prediction import learn, scatter
from tests import naive

pytestmark = pytest.mark.interpreted

ids_lists = st.lists(st.integers(0, 50) | st.integers(0, MAX_ID), unique=True, max_size=30)


@given(ids_lists, st.integers(0, 2**63 - 1), st.integers(1, 20))
def test_scatter(ids: list[int], seed: int, size: int) -> None:
    out = np.full(size, np.nan)
    scatter(np.array(ids, np.int64), seed, out)
    assert out.tolist() == naive.scattered(ids, seed, size)


@pytest.mark.parametrize("seed", [0, 1])
def test_places_and_signs_are_spread_evenly(seed: int) -> None:
    signs, places = np.zeros(2), np.zeros(8)
    for i in range(1_000):
        out = np.zeros(8)
        scatter(np.array([i]), seed, out)
        place = int(np.flatnonzero(out)[0])
        assert abs(out[place]) == 1.0
        places[place] += 1
        signs[int(out[place] > 0)] += 1
    assert np.all(np.abs(places - 125) < 50)
    assert np.all(np.abs(signs - 500) < 80)


@settings(max_examples=60)
@given(st.integers(1, 9), st.floats(0.01, 1.0), st.booleans(), st.integers(0, 2**32))
def test_learn(size: int, rate: float, nothing: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model, before, after = rng.normal(size=(size, size)), *rng.normal(size=(2, size))
    if nothing:
        before[:] = 0.0
    error = after - before @ model
    expected = model + rate * np.outer(before, error) / (1.0 if nothing else before @ before)
    scratch = np.empty(size)
    assert learn(model, before, after, rate, scratch) == pytest.approx(error @ error, abs=1e-12)
    assert model == pytest.approx(expected, abs=1e-9)
    if not nothing:
        # Once more: the error has shrunk by the learning rate.
        assert after - before @ model == pytest.approx((1 - rate) * error, abs=1e-9)
