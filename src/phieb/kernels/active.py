"""The active set: which rows are on, and what changed, who entered and who left.

Active rows have slots 0, 1, 2, …; a row that leaves makes room by moving the row of the last slot
into its own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.jit import kernel
from phieb.kernels.rows import rows_of

NUM_ACTIVE, STAMP, NUM_ENTERED, NUM_LEFT, FIRST_NEW = range(5)  # places in `sizes`


class Active(NamedTuple):
    """The active set, with room for `len(slot_of)` rows, and `len(active)` at a time."""

    slot_of: NDArray[np.int64]  # (row,): its slot, or -1 while it is not active
    seen: NDArray[np.int64]  # (row,): the stamp of the last observation it was on in
    active: NDArray[np.int64]  # (slot,): its row
    on: NDArray[np.int64]  # the rows of the ids observed last, in their order
    entered: NDArray[np.int64]  # rows that entered, in the order of their new slots
    left: NDArray[np.int64]  # (k, 2): slots that were left and their rows, in order of emptying
    sizes: NDArray[np.int64]


def new_active(rows: int, slots: int) -> Active:
    """Nothing on, and room for so many rows and so many at a time."""
    return Active(
        np.full(rows, -1),
        np.zeros(rows, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros((slots, 2), np.int64),
        np.zeros(5, np.int64),
    )


def with_room(old: Active, num_rows: int, num_slots: int) -> Active:
    """The same, with room for so many rows and slots: doubled when too small."""
    rows, slots = old.slot_of.size, old.active.size
    if num_rows <= rows and num_slots <= slots:
        return old
    new = new_active(
        max(num_rows, 2 * rows) if num_rows > rows else rows,
        max(num_slots, 2 * slots) if num_slots > slots else slots,
    )
    for name in ("slot_of", "seen", "active"):
        part = getattr(old, name)
        getattr(new, name)[: part.size] = part
    return new._replace(sizes=old.sizes)


@kernel
def observe(on, active_set):
    """The rows `on` are on, all others off: who entered, and which slots were left."""
    slot_of, seen, active = active_set.slot_of, active_set.seen, active_set.active
    entered, left, sizes = active_set.entered, active_set.left, active_set.sizes
    stamp, num_active = sizes[STAMP] + 1, sizes[NUM_ACTIVE]
    num_entered = num_left = 0
    for row in on:
        seen[row] = stamp
        if slot_of[row] < 0:
            entered[num_entered] = row
            num_entered += 1
    for slot in range(num_active - 1, -1, -1):  # from the last: those above it stay
        row = active[slot]
        if seen[row] != stamp:
            left[num_left, 0] = slot
            left[num_left, 1] = row
            num_left += 1
            slot_of[row] = -1
            num_active -= 1
            active[slot] = active[num_active]
            if slot < num_active:
                slot_of[active[slot]] = slot
    for k in range(num_entered):
        slot_of[entered[k]] = num_active
        active[num_active] = entered[k]
        num_active += 1
    sizes[NUM_ACTIVE], sizes[STAMP] = num_active, stamp
    sizes[NUM_ENTERED], sizes[NUM_LEFT] = num_entered, num_left


@kernel
def see(ids, rows, active_set):
    """The features `ids` are on, all others off; rows from sizes[FIRST_NEW] on are new."""
    active_set.sizes[FIRST_NEW] = rows.size[0]
    on = active_set.on[: ids.size]
    rows_of(ids, rows, on)
    observe(on, active_set)
