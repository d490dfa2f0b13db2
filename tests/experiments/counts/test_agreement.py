"""Rank correlation and factor of bias, against examples worked out by hand."""

import math

import numpy as np
import pytest

from phieb.experiments.counts.agreement import agreement, rank_correlation, ranks


def test_spearman_with_ties_by_hand() -> None:
    """Ranks 1, 2.5, 2.5, 4 and 2, 1, 3.5, 3.5.

    Around their mean 2.5 they are −1.5, 0, 0, 1.5 and −0.5, −1.5, 1, 1, with the products
    0.75 + 1.5 = 2.25 and the squares 4.5 and 4.5: the correlation is ½.
    """
    x, y = [10, 20, 20, 30], [5, 2, 9, 9]
    assert ranks(x).tolist() == [1.0, 2.5, 2.5, 4.0]
    assert ranks(y).tolist() == [2.0, 1.0, 3.5, 3.5]
    assert rank_correlation(x, y) == pytest.approx(0.5)


def test_spearman_of_what_rises_falls_and_stays() -> None:
    x = np.arange(1.0, 9.0)
    assert rank_correlation(x, np.exp(x)) == pytest.approx(1.0)
    assert rank_correlation(x, -(x**3)) == pytest.approx(-1.0)
    assert rank_correlation(x, [0.0, np.inf, *np.zeros(6)]) < 0.0  # infinite counts have a rank
    assert math.isnan(rank_correlation(x, np.ones(8)))


def test_the_factor_leaves_out_what_was_never_visited() -> None:
    found = agreement([7.0, 2.0, 9.0, 4.0, 12.0], [0, 1, 0, 2, 2])
    assert found.factor == 2.0  # the median of 2, 2 and 6
    assert found.new == 8.0  # the median of 7 and 9
    assert agreement([1.0, 2.0], [1, 1]).new is None
    with pytest.raises(ValueError, match="true must hold a count of at least 1"):
        agreement([1.0], [0])


def test_ranks_are_compared_where_time_makes_little_difference() -> None:
    """An estimate that grows with time alone correlates over the run, not within its last part."""
    rng = np.random.default_rng(0)
    time = np.arange(1.0, 5_001.0)
    true = np.rint(time * rng.lognormal(-4.0, 1.0, time.size))
    assert rank_correlation(time, true) > 0.5
    assert abs(agreement(time, true).rank) < 0.15
