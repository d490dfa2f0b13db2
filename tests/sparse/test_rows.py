"""Rows against a dictionary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.sparse.rows import Rows

ids = st.one_of(st.integers(0, 50), st.integers(2**62, 2**62 + 9), st.sampled_from([2**63 - 2]))


@pytest.mark.interpreted
@given(st.lists(st.lists(ids, max_size=90), max_size=12))
def test_each_id_gets_the_next_row_at_first_sight(history: list[list[int]]) -> None:
    rows, twin = Rows(), dict[int, int]()
    for seen in history:
        known = [twin[i] for i in seen if i in twin]
        assert rows.known(np.array(seen, np.int64)).tolist() == known
        expected = [twin.setdefault(i, len(twin)) for i in seen]
        assert rows.of(np.array(seen, np.int64)).tolist() == expected
    assert len(rows) == len(twin)
    assert rows.ids().tolist() == list(twin)


def test_many_ids_that_lie_close_together() -> None:
    rows = Rows()
    many = np.arange(0, 3_000_000, 3)
    assert np.array_equal(rows.of(many), np.arange(1_000_000))
    assert np.array_equal(rows.known(many[::7]), np.arange(1_000_000)[::7])
