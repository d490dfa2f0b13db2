"""The incremental density, compared with the sum over all features, term by term."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phieb.kernels.novelty import density
from phieb.kernels.sparse.active import see
from phieb.novelty import VisitDensity
from tests import naive

pytestmark = pytest.mark.interpreted

Sums = tuple[float, float]


class Both:
    """A density and its twin; features get rows in the order of their ids."""

    def __init__(self) -> None:
        self.fast, self.counts = VisitDensity(), dict[int, int]()

    def compare(self, found: Sums, on: NDArray[np.int64]) -> None:
        rows = [list(self.counts).index(i) for i in on]
        t = self.fast.t if found is self.peeked else self.fast.t - 1
        expected = naive.kt_log_density_and_gain(list(self.counts.values()), t, rows)
        assert found[0] == pytest.approx(expected[0], rel=1e-12, abs=1e-10)
        assert found[1] == pytest.approx(expected[1], rel=1e-9, abs=1e-13)

    def observe(self, on: NDArray[np.int64], check: bool) -> None:
        fast = self.fast
        self.peeked: Sums = (0.0, 0.0)
        known = all(int(i) in self.counts for i in on)
        for i in on:
            self.counts.setdefault(int(i), 0)
        if check and known:
            rows = fast.active_set.rows.known(on)
            self.peeked = density.peek(rows, fast.active_set.tables, fast.tables)
            self.compare(self.peeked, on)
        fast.active_set.ensure_capacity(on.size)
        fast.ensure_capacity()
        see(on, fast.active_set.rows.table, fast.active_set.tables)
        found = density.observe(fast.num_observed, fast.active_set.tables, fast.tables)
        if check:
            self.compare(found, on)
        for i in on:
            self.counts[int(i)] += 1


@settings(max_examples=8)
@given(st.integers(0, 2**32))
def test_a_long_history_of_rare_and_frequent_features(seed: int) -> None:
    """From the first observation past many changes of the reference time."""
    rng = np.random.default_rng(seed)
    num_features, steps = 60, 1_500
    chances = np.concatenate([[1.0, 0.999, 0.5], rng.random(num_features - 3) ** 4])
    both = Both()
    for t in range(steps):
        both.observe(np.flatnonzero(rng.random(num_features) < chances), t % 37 == 0)
    assert both.fast.state()["counts"].tolist() == list(both.counts.values())
    assert 0 < both.fast.tables.clock[density.NUM_USUAL] < num_features


def test_features_that_become_frequent_and_new_ones_that_join() -> None:
    both = Both()
    for t in range(3_000):
        # Feature 0 early only, 1 late only, 2 joins in the middle.
        both.observe(np.array([0] if t < 300 else [1] if t < 2_000 else [1, 2]), t % 97 == 0)
    assert both.counts == {0: 300, 1: 2_700, 2: 1_000}


@pytest.mark.parametrize("t", [0, 5, 63, 10**6, 10**12])
def test_products_of_many_factors_do_not_underflow(t: int) -> None:
    """Thousands of features on at once: ρ underflows a double."""
    num_rows = 5_003
    counts = density.new_counts(num_rows)
    rng = np.random.default_rng(t)
    seen = rng.integers(0, min(t, 10) + 1, num_rows)  # m, how often the current value was seen
    counts.clock[:] = t, 0, 0, num_rows
    counts.others[:num_rows] = t - seen
    log_rho, gain = density.log_density_and_gain(counts)
    expected = naive.kt_log_density_and_gain(seen.tolist(), t, range(num_rows))
    assert expected[0] < -3_000
    assert log_rho == pytest.approx(expected[0], rel=1e-13)
    assert gain == pytest.approx(expected[1], rel=1e-12)
