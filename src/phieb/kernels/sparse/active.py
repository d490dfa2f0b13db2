"""The active set: which features are on, and what changed, who entered and who left.

Ids come in ascending order, or are put in it: then one pass along the ids of now and of before
finds what changed, and only features that entered are looked up.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.bits import ONE, ZERO
from phieb.kernels.numba_support.jit import kernel
from phieb.kernels.sparse.rows import rows_of

# Places in `sizes`. NOW is which half of `ids` and `rows` is of now; the other is of before.
NUM_ACTIVE, NUM_ENTERED, NUM_LEFT, FIRST_NEW, NOW = range(5)
LAST = np.iinfo(np.int64).max  # stands after the last id


class Active(NamedTuple):
    """The active set, with room for `entered.size` features at a time."""

    ids: NDArray[np.int64]  # (now and before, k): ids that are on, ascending, and LAST
    rows: NDArray[np.int64]  # (now and before, k): their rows
    entered: NDArray[np.int64]  # rows that entered
    left: NDArray[np.int64]  # rows that left
    scratch: NDArray[np.int64]
    sizes: NDArray[np.int64]


def new_active(room: int) -> Active:
    """Nothing on, and room for so many at a time."""
    return Active(
        np.full((2, room + 1), LAST),
        np.zeros((2, room + 1), np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros((2, room), np.int64),
        np.zeros(5, np.int64),
    )


def with_room(old: Active, num_ids: int) -> Active:
    """The same, with room for so many at a time: doubled when too small."""
    room = old.entered.size
    if num_ids <= room:
        return old
    new = new_active(max(num_ids, 2 * room))
    new.ids[:, : room + 1], new.rows[:, : room + 1] = old.ids, old.rows
    return new._replace(sizes=old.sizes)


@kernel
def is_ascending(ids):
    """Whether each id is larger than the one before."""
    wrong = 0
    for k in range(ids.size - 1):
        wrong |= ids[k] >= ids[k + 1]
    return wrong == 0


@kernel
def compare(before, rows_before, now, rows_now, left, new):
    """Walk along the ids of before and of now: rows that left, places of ids that entered.

    Returns how many. Rows of ids that stayed are copied.
    """
    num_new = num_left = 0
    i = k = ZERO  # unsigned: the compiler need not think of places counted from the end
    while True:
        while before[i] == now[k]:
            if now[k] == LAST:
                return num_left, num_new
            rows_now[k] = rows_before[i]
            i += ONE
            k += ONE
        if before[i] < now[k]:
            left[num_left] = rows_before[i]
            num_left += 1
            i += ONE
        else:
            new[num_new] = k
            num_new += 1
            k += ONE


@kernel
def look_up(now, rows_now, new, rows, wanted, entered):
    """The rows of the ids that entered, at the places `new`."""
    for k in range(new.size):
        wanted[k] = now[new[k]]
    rows_of(wanted, rows, entered)
    for k in range(new.size):
        rows_now[new[k]] = entered[k]


@kernel
def see(ids, rows, active_set):
    """The features `ids` are on, all others off; rows from sizes[FIRST_NEW] on are new."""
    sizes, entered, scratch = active_set.sizes, active_set.entered, active_set.scratch
    sizes[FIRST_NEW] = rows.size[0]
    sizes[NOW] = 1 - sizes[NOW]
    now, before = active_set.ids[sizes[NOW]], active_set.ids[1 - sizes[NOW]]
    rows_now, rows_before = active_set.rows[sizes[NOW]], active_set.rows[1 - sizes[NOW]]
    for k in range(ids.size):
        now[k] = ids[k]
    now[ids.size] = LAST
    if not is_ascending(now[: ids.size]):
        now[: ids.size].sort()
    changed = compare(before, rows_before, now, rows_now, active_set.left, scratch[0])
    sizes[NUM_ACTIVE], (sizes[NUM_LEFT], sizes[NUM_ENTERED]) = ids.size, changed
    new, wanted = scratch[0, : changed[1]], scratch[1, : changed[1]]
    look_up(now, rows_now, new, rows, wanted, entered[: changed[1]])


@kernel
def rows_on(active_set):
    """The rows of all features that are on, in the order of their ids."""
    return active_set.rows[active_set.sizes[NOW], : active_set.sizes[NUM_ACTIVE]]
