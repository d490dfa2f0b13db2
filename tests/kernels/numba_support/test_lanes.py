"""SIMD arithmetic compared with NumPy, bit for bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.kernels.numba_support.held import hold
from phieb.kernels.numba_support.jit import kernel
from phieb.kernels.numba_support.lanes import LANES, load, padded, splat, store, total
from phieb.kernels.numba_support.memory import LINE, aligned_zeros

pytestmark = pytest.mark.interpreted


@kernel
def combine(table: Any, row: int, others: Any, factor: float) -> Any:
    """A row ← (row·factor + others − row/others), in vectors; returns the sum."""
    added = splat(0.0)
    for k in range(0, others.size, LANES):
        old, other = load(table, (row, k)), load(others, (k,))
        added = added + store(table, (row, k), old * factor + other - old / other)
    return total(added)


@kernel
def grow(held: Any, by: float) -> Any:
    """Add to what is held."""
    (first, (second, number)) = held.tables
    first[0] += by
    second[1, 1] += number
    return first[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(st.integers(0, 2**32), st.integers(1, 7), st.floats(-2.0, 2.0))
def test_lanes_and_kernels_agree_with_numpy(
    dtype: type[Any], seed: int, blocks: int, factor: float
) -> None:
    rng = np.random.default_rng(seed)
    table = aligned_zeros((3, blocks * LANES + 2), dtype)
    table[:] = rng.normal(size=table.shape)
    others = rng.normal(size=blocks * LANES)
    expected, old = table.copy(), table[1, : others.size].astype(np.float64)
    expected[1, : others.size] = old * factor + others - old / others
    rounded = expected[1, : others.size].astype(np.float64).reshape(blocks, LANES)
    sums = np.zeros(LANES)
    for block in rounded:
        sums += block
    assert combine(table, 1, others, factor) == (sums[0] + sums[1]) + (sums[2] + sums[3])
    assert np.array_equal(table, expected)


@pytest.mark.parametrize(("size", "expected"), [(0, 0), (1, 4), (4, 4), (18, 20)])
def test_padded(size: int, expected: int) -> None:
    assert padded(size) == expected


@pytest.mark.parametrize("shape", [(1, 16), (5, 48)])
def test_rows_begin_with_a_line(shape: tuple[int, int]) -> None:
    table = aligned_zeros(shape, np.float32)
    assert table.shape == shape
    assert table.ctypes.data % LINE == 0
    assert not table.any()


def test_held_arrays_are_shared_not_copied() -> None:
    first, second = np.zeros(2), np.zeros((2, 2), np.int64)
    held = hold((first, (second, 3)))
    assert grow(held, 1.5) == 1.5
    assert grow(held, 1.0) == 2.5
    assert first[0] == 2.5
    assert second[1, 1] == 6
