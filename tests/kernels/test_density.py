"""The density with its sums kept up, against the sum over all features, term by term."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phieb.kernels import density
from tests import naive


def check(counts: density.Counts, on: NDArray[np.int64], exact: list[int]) -> None:
    log_rho, gain = density.density_and_gain(on, counts)
    expected, expected_gain = naive.kt_log_density_and_gain(
        exact, int(counts.clock[density.T]), on.tolist()
    )
    assert log_rho == pytest.approx(expected, rel=1e-12, abs=1e-10)
    assert gain == pytest.approx(expected_gain, rel=1e-9, abs=1e-13)
    assert not counts.is_on.any()


@settings(max_examples=8)
@given(st.integers(0, 2**32))
def test_a_long_history_of_rare_and_frequent_features(seed: int) -> None:
    """From the first observation past many changes of the reference time."""
    rng = np.random.default_rng(seed)
    num_features, steps = 60, 1_500
    chances = np.concatenate([[1.0, 0.999, 0.5], rng.random(num_features - 3) ** 4])
    counts, exact = density.new_counts(num_features), [0] * num_features
    for t in range(steps):
        on = np.flatnonzero(rng.random(num_features) < chances)
        if t % 50 == 0:
            check(counts, on, exact) if t else None
        density.observe(on, num_features, counts)
        for row in on:
            exact[row] += 1
    assert counts.counts.tolist() == exact
    assert 0 < counts.clock[density.NUM_RARE] < num_features
    check(counts, on, exact)


def test_features_that_become_frequent_and_new_ones_that_join() -> None:
    counts, exact = density.with_room(density.new_counts(0), 3), [0, 0, 0]
    for t in range(3_000):
        # Row 0 early only, row 1 late only, row 2 joins in the middle.
        on = np.array([0] if t < 300 else [1] if t < 2_000 else [1, 2])
        density.observe(on, max(int(on.max()) + 1, int(counts.clock[density.NUM_FEATURES])), counts)
        for row in on:
            exact[row] += 1
        if t % 97 == 0:
            check(counts, on, exact[: int(counts.clock[density.NUM_FEATURES])])


def test_memory_does_not_move_what_is_there() -> None:
    small = density.with_room(density.new_counts(0), 2)
    density.observe(np.array([0, 1]), 2, small)
    large = density.with_room(small, 100)
    assert large.counts[:2].tolist() == [1, 1]
    assert density.density_and_gain(np.array([1]), large) == density.density_and_gain(
        np.array([1]), small
    )
