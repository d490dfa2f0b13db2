"""A density from counts is the one that observed what was counted."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.novelty import PhiBonus, VisitDensity, density_from_counts
from tests.naive.density import leave_out_log_density

histories = st.lists(st.sets(st.integers(0, 12)).map(sorted), min_size=1, max_size=90)


@given(histories, st.sets(st.integers(0, 15)).map(sorted))
def test_it_gives_what_the_observations_one_by_one_give(
    history: list[list[int]], active: list[int]
) -> None:
    one_by_one = VisitDensity()
    for ids in history:
        one_by_one.observe(ids)
    counts = Counter(i for on in history for i in on)
    ids, numbers = list(counts), list(counts.values())
    made = density_from_counts(ids, numbers, len(history), like=VisitDensity())
    assert made.t == one_by_one.t
    assert made.num_observed == one_by_one.num_observed
    assert np.array_equal(made.counts_of(range(16)), one_by_one.counts_of(range(16)))
    assert made.log_density(active) == pytest.approx(leave_out_log_density(history, active))
    for again in (active, history[0], active):  # and it goes on alike
        assert made.observe(again) == pytest.approx(one_by_one.observe(again), rel=1e-9)
    restored = VisitDensity()
    restored.restore(made.state())
    assert restored.peek(active) == pytest.approx(made.peek(active))


def test_many_observations_and_the_settings_of_another() -> None:
    like = VisitDensity(100, unobserved="prototype")
    made = density_from_counts([3, 5], [1, 10**9], 10**9, like=like)
    assert made.settings() == like.settings()
    often, seldom = PhiBonus(density=made), PhiBonus(density=made)
    assert often.peek([5])[0] > 10**8 > 10 > seldom.peek([3, 7])[0]


@pytest.mark.parametrize(
    ("ids", "counts", "t"), [([1], [0], 3), ([1], [4], 3), ([1, 2], [1], 3), ([1], [[1]], 3)]
)
def test_what_cannot_be_is_refused(ids: list[int], counts: list[int], t: int) -> None:
    with pytest.raises(ValueError, match=r"counts must be one number in \[1, t = 3\]"):
        density_from_counts(ids, counts, t, like=VisitDensity())
