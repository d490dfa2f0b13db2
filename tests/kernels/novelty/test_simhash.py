"""Projections against sums in the same order, to the bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.kernels.novelty.simhash import project

pytestmark = pytest.mark.interpreted


@settings(max_examples=60)
@given(st.integers(0, 30), st.integers(1, 70), st.booleans(), st.integers(0, 2**32))
def test_every_shape(size: int, bits: int, sparse: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns, vector = rng.standard_normal((size, bits), np.float32), rng.standard_normal(size)
    if sparse:
        vector[rng.random(size) < 0.7] = 0.0
    out = np.full(bits, np.nan)
    project(vector, columns, out)
    for k in range(bits):
        total = 0.0
        for i in range(size):
            total += vector[i] * columns[i, k]
        assert out[k] == total
