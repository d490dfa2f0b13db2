"""Words of 64 bits."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.kernels.numba_support.bits import bits_above, bytes_on, lowest_bit

pytestmark = pytest.mark.interpreted


@numba.njit
def found(word):  # type: ignore[no-untyped-def]
    return lowest_bit(word), bits_above(word), bytes_on(word)


@given(st.integers(1, 2**64 - 1))
def test_the_lowest_and_the_highest_bit_and_the_bytes(word: int) -> None:
    places = [k for k in range(64) if word >> k & 1]
    on = sum(1 << k for k in {place // 8 for place in places})
    assert found(np.uint64(word)) == (places[0], 63 - places[-1], on)


@given(st.lists(st.sampled_from([0, 1, 128, 255]), min_size=8, max_size=8).filter(any))
def test_words_with_empty_bytes(values: list[int]) -> None:
    on = sum((value > 0) << k for k, value in enumerate(values))
    assert found(np.uint64(int.from_bytes(bytes(values), "little")))[2] == on
