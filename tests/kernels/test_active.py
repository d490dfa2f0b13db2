"""The active set against plain sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phieb.kernels import active
from phieb.kernels.active import NUM_ACTIVE, NUM_ENTERED, NUM_LEFT


@given(st.lists(st.sets(st.integers(0, 30), max_size=20), max_size=25))
def test_who_is_on_who_entered_and_who_left(history: list[set[int]]) -> None:
    found = active.new_active(2, 1)
    before: set[int] = set()
    for now in history:
        slots_before = found.active[: found.sizes[NUM_ACTIVE]].tolist()
        found = active.with_room(found, max(now, default=0) + 1, len(now))
        active.observe(np.array(sorted(now), np.int64), found)
        entered = found.entered[: found.sizes[NUM_ENTERED]].tolist()
        left = found.left[: found.sizes[NUM_LEFT]]
        assert sorted(entered) == sorted(now - before)
        assert sorted(left[:, 1].tolist()) == sorted(before - now)
        # Emptying the slots in the order given, and filling up, leads to the new slots.
        table = slots_before
        for slot, row in left.tolist():
            assert table[slot] == row
            table[slot] = table[-1]
            table.pop()
        assert table + entered == found.active[: found.sizes[NUM_ACTIVE]].tolist()
        assert all(found.slot_of[row] == slot for slot, row in enumerate(table + entered))
        before = now
