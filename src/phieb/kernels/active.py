"""The active set: which rows are on, and what changed, who entered and who left.

Active rows have slots 0, 1, 2, …; a row that leaves makes room by moving the row of the last slot
into its own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.jit import kernel

NUM_ACTIVE, STAMP, NUM_ENTERED, NUM_LEFT = range(4)  # places in `sizes`


class Active(NamedTuple):
    """The active set, and room for `len(slot_of)` rows."""

    slot_of: NDArray[np.int64]  # (row,): its slot, or -1 while it is not active
    seen: NDArray[np.int64]  # (row,): the stamp of the last observation it was on in
    active: NDArray[np.int64]  # (slot,): its row
    entered: NDArray[np.int64]  # rows that entered, in the order of their new slots
    left: NDArray[np.int64]  # (k, 2): slots that were left and their rows, in order of emptying
    sizes: NDArray[np.int64]


def new_active(capacity: int) -> Active:
    """Nothing on, and room for so many rows."""
    return Active(
        np.full(capacity, -1),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros((capacity, 2), np.int64),
        np.zeros(4, np.int64),
    )


def with_room(old: Active, num_rows: int) -> Active:
    """The same, with room for so many rows: doubled when too small."""
    size = old.slot_of.size
    if num_rows <= size:
        return old
    new = new_active(max(num_rows, 2 * size))
    for name in ("slot_of", "seen", "active"):
        getattr(new, name)[:size] = getattr(old, name)
    return new._replace(sizes=old.sizes)


@kernel
def observe(on, active_set):
    """The rows `on` are on, all others off: who entered, and which slots were left."""
    slot_of, seen, active = active_set.slot_of, active_set.seen, active_set.active
    entered, left, sizes = active_set.entered, active_set.left, active_set.sizes
    sizes[STAMP] += 1
    num_entered = num_left = 0
    for row in on:
        seen[row] = sizes[STAMP]
        if slot_of[row] < 0:
            entered[num_entered] = row
            num_entered += 1
    for slot in range(sizes[NUM_ACTIVE] - 1, -1, -1):  # from the last: those above it stay
        if seen[active[slot]] != sizes[STAMP]:
            left[num_left, 0] = slot
            left[num_left, 1] = active[slot]
            num_left += 1
            slot_of[active[slot]] = -1
            sizes[NUM_ACTIVE] -= 1
            active[slot] = active[sizes[NUM_ACTIVE]]
            if slot < sizes[NUM_ACTIVE]:
                slot_of[active[slot]] = slot
    for k in range(num_entered):
        slot_of[entered[k]] = sizes[NUM_ACTIVE]
        active[sizes[NUM_ACTIVE]] = entered[k]
        sizes[NUM_ACTIVE] += 1
    sizes[NUM_ENTERED] = num_entered
    sizes[NUM_LEFT] = num_left
