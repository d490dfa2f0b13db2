"""Words of 64 bits."""

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phieb.kernels.bits import lowest_bit


@numba.njit
def found(word):  # type: ignore[no-untyped-def]
    return lowest_bit(word)


@given(st.integers(1, 2**64 - 1))
def test_the_lowest_bit(word: int) -> None:
    assert found(np.uint64(word)) == next(k for k in range(64) if word >> k & 1)
