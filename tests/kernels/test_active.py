"""The active set against plain sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phieb.kernels import active
from phieb.kernels.active import NUM_ACTIVE, NUM_ENTERED, NUM_LEFT, NUM_ROWS

ids = st.one_of(st.integers(0, 30), st.integers(2**62, 2**62 + 5), st.sampled_from([0, 64, 2**40]))
observations = st.lists(st.sets(ids, max_size=20), max_size=25)


@given(observations)
def test_who_is_on_who_entered_and_who_left(history: list[set[int]]) -> None:
    found = active.new_active(2)
    row_of: dict[int, int] = {}
    before: set[int] = set()
    for now in history:
        given_ids = np.array(sorted(now), np.int64)
        slots_before = found.active[: found.sizes[NUM_ACTIVE]].copy()
        found = active.with_room(found, int(found.sizes[NUM_ROWS]) + given_ids.size)
        active.observe(given_ids, found)
        for i in given_ids.tolist():
            row_of.setdefault(i, len(row_of))
        rows = {row_of[i] for i in now}
        entered = found.entered[: found.sizes[NUM_ENTERED]].tolist()
        left = found.left[: found.sizes[NUM_LEFT]]
        assert sorted(entered) == sorted(rows - {row_of[i] for i in before})
        assert set(left[:, 1].tolist()) == {row_of[i] for i in before} - rows
        # Emptying the slots in the order given, and filling up, leads to the new slots.
        table = slots_before.tolist()
        for slot, row in left.tolist():
            assert table[slot] == row
            table[slot] = table[-1]
            table.pop()
        assert table + entered == found.active[: found.sizes[NUM_ACTIVE]].tolist()
        assert all(found.slot_of[row] == slot for slot, row in enumerate(table + entered))
        before = now
    assert found.sizes[NUM_ROWS] == len(row_of)
