"""The active set against plain sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.kernels.sparse.active import FIRST_NEW, NUM_ENTERED, NUM_EXITED, see
from phieb.sparse.active_set import ActiveSet

pytestmark = pytest.mark.interpreted


@given(st.lists(st.lists(st.integers(0, 30), max_size=20, unique=True), max_size=25))
def test_active_entered_and_exited_rows(history: list[list[int]]) -> None:
    """Ids come in any order."""
    found, before = ActiveSet(), set[int]()
    known: list[int] = []
    for ids in history:
        found.ensure_capacity(len(ids))
        see(np.array(ids, np.int64), found.rows.table, found.tables)
        of_row, sizes = found.rows.ids(), found.tables.sizes
        now = set(ids)
        entered = of_row[found.tables.entered[: sizes[NUM_ENTERED]]].tolist()
        exited = of_row[found.tables.exited[: sizes[NUM_EXITED]]].tolist()
        assert entered == sorted(now - before)
        assert exited == sorted(before - now)
        assert of_row[found.on()].tolist() == sorted(now)
        assert of_row[: sizes[FIRST_NEW]].tolist() == known
        known += sorted(now - set(known))
        assert of_row.tolist() == known
        before = now
