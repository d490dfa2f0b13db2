"""From Python in one compiled call: the same numbers however the features are handed over."""

import pickle
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.novelty import PhiBonus, VisitDensity
from tests.novelty.support import same

histories = st.lists(st.sets(st.integers(0, 300), max_size=90).map(sorted), max_size=12)


def handed(ids: list[int], way: int) -> object:
    """The same features: in other orders, kinds and layouts."""
    array = np.array(ids, np.int64)
    if way == 0:
        array.flags.writeable = False
    ways = (array, ids, array[::-1], array.astype(np.uint16), np.repeat(array, 3)[::3], tuple(ids))
    return ways[way % len(ways)]


@given(histories, st.sampled_from(["leave-out", "prototype"]), st.sampled_from([0.5, 1.001]))
def test_the_same_to_the_bit_however_the_ids_are_given(
    history: list[list[int]], unobserved: str, first_sight: float
) -> None:
    first_sight = 0.5 if unobserved == "prototype" else first_sight
    make = {"unobserved": unobserved, "first_sight": first_sight, "num_features": 301}
    plain, other = VisitDensity(**make), VisitDensity(**make)  # type: ignore[arg-type]
    for k, ids in enumerate(history):
        expected = plain.observe(np.array(ids, np.int64))
        assert other.observe(handed(ids, k)) == expected  # type: ignore[arg-type]
    assert same(plain.state(), other.state())


@given(histories, histories)
def test_observing_is_peeking_and_then_counting(
    history: list[list[int]], more: list[list[int]]
) -> None:
    density = VisitDensity()
    for ids in [*history, *more]:
        peeked, before = density.peek(ids), density.t
        assert density.observe(np.array(ids, np.int64)) == pytest.approx(peeked, abs=1e-9)
        assert density.t == before + 1


@given(histories, histories)
def test_a_copy_counts_for_itself(first: list[list[int]], second: list[list[int]]) -> None:
    bonus = PhiBonus()
    for ids in first:
        bonus.observe(np.array(ids, np.int64))
    before = bonus.state()
    copies = deepcopy(bonus), pickle.loads(pickle.dumps(bonus))  # noqa: S301
    found = [[copy.observe(np.array(ids, np.int64)) for ids in second] for copy in copies]
    assert same(bonus.state(), before)
    assert found[0] == found[1] == [bonus.observe(np.array(ids, np.int64)) for ids in second]


@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_bad_ids_in_an_array_are_named_and_nothing_is_counted(dtype: type) -> None:
    density = VisitDensity(num_features=10)
    density.observe(np.array([1, 2]))
    before = density.state()
    for ids, says in (
        ([-1, 3], r"feature ids in \[0, 9\], got -1"),
        ([3, 10], r"feature ids in \[0, 9\], got 10"),
        ([3, 3], "each feature id once"),
        ([[3]], "a flat list"),
    ):
        with pytest.raises(ValueError, match=says):
            density.observe(np.array(ids, dtype))
    assert same(density.state(), before)
