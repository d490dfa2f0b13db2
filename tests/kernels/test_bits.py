"""Words of 64 bits."""

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phieb.kernels.bits import bits_above, lowest_bit


@numba.njit
def found(word):  # type: ignore[no-untyped-def]
    return lowest_bit(word), bits_above(word)


@given(st.integers(1, 2**64 - 1))
def test_the_lowest_and_the_highest_bit(word: int) -> None:
    places = [k for k in range(64) if word >> k & 1]
    assert found(np.uint64(word)) == (places[0], 63 - places[-1])
