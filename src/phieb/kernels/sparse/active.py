"""The active set: which features are on, and which entered and exited since the last observation.

Ids are sorted, so that one pass along the current and the previous ids finds what changed; only
features that entered are looked up in the table of rows.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.bits import ONE, ZERO
from phieb.kernels.numba_support.jit import inlined, inner, kernel
from phieb.kernels.sparse.rows import rows_of

# Indices of `sizes`. NOW says which half of `ids` and `rows` is current; the other is previous.
NUM_ACTIVE, NUM_ENTERED, NUM_EXITED, FIRST_NEW, NOW = range(5)
LAST = np.iinfo(np.int64).max  # sentinel after the last id


class Active(NamedTuple):
    """The active set, with a capacity of `entered.size` features."""

    ids: NDArray[np.int64]  # (2, capacity + 1): active ids, ascending, then LAST
    rows: NDArray[np.int64]  # (2, capacity + 1): their rows
    entered: NDArray[np.int64]  # (capacity,): rows that entered, the first sizes[NUM_ENTERED]
    exited: NDArray[np.int64]  # (capacity,): rows that exited, the first sizes[NUM_EXITED]
    scratch: NDArray[np.int64]  # (2, capacity)
    sizes: NDArray[np.int64]  # (5,)


def new_active(capacity: int) -> Active:
    """An empty active set."""
    return Active(
        np.full((2, capacity + 1), LAST),
        np.zeros((2, capacity + 1), np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros((2, capacity), np.int64),
        np.zeros(5, np.int64),
    )


def with_capacity(old: Active, num_ids: int) -> Active:
    """The same, with capacity for `num_ids` active features: at least doubled if too small."""
    capacity = old.entered.size
    if num_ids <= capacity:
        return old
    new = new_active(max(num_ids, 2 * capacity))
    new.ids[:, : capacity + 1], new.rows[:, : capacity + 1] = old.ids, old.rows
    return new._replace(sizes=old.sizes)


@inner
def is_ascending(ids):
    """Whether each id is larger than the one before."""
    wrong = 0
    for k in range(ids.size - 1):
        wrong |= ids[k] >= ids[k + 1]
    return wrong == 0


@inlined
def sift_down(ids, place, size):
    """Restore the heap of the first `size` ids below `place`."""
    child = 2 * place + 1
    while child < size:
        if child + 1 < size and ids[child + 1] > ids[child]:
            child += 1
        if ids[place] >= ids[child]:
            return
        ids[place], ids[child] = ids[child], ids[place]
        place, child = child, 2 * child + 1


@inner
def sort(ids):
    """Sort ids (k,) in ascending order by heapsort, since NumPy's sort takes long to compile."""
    for place in range(ids.size // 2 - 1, -1, -1):
        sift_down(ids, place, ids.size)
    for last in range(ids.size - 1, 0, -1):
        ids[0], ids[last] = ids[last], ids[0]
        sift_down(ids, 0, last)


@inner
def compare(before, rows_before, now, rows_now, exited, new):
    """Write the rows that exited to `exited` and the indices in `now` of new ids to `new`.

    Returns how many of each. Rows of ids that stayed are copied to `rows_now`.
    """
    num_new = num_exited = 0
    i = k = ZERO  # unsigned: no code for negative indices
    while True:
        while before[i] == now[k]:
            if now[k] == LAST:
                return num_exited, num_new
            rows_now[k] = rows_before[i]
            i += ONE
            k += ONE
        if before[i] < now[k]:
            exited[num_exited] = rows_before[i]
            num_exited += 1
            i += ONE
        else:
            new[num_new] = k
            num_new += 1
            k += ONE


@inner
def look_up(now, rows_now, new, rows, wanted, entered):
    """Write the rows of the ids at indices `new` of `now` to `entered` and `rows_now`."""
    for k in range(new.size):
        wanted[k] = now[new[k]]
    rows_of(wanted, rows, entered)
    for k in range(new.size):
        rows_now[new[k]] = entered[k]


@kernel
def see(ids, rows, active_set):
    """Observe φ: the features `ids` are on, all others off; rows >= sizes[FIRST_NEW] are new."""
    sizes, entered, scratch = active_set.sizes, active_set.entered, active_set.scratch
    sizes[FIRST_NEW] = rows.size[0]
    sizes[NOW] = 1 - sizes[NOW]
    now, before = active_set.ids[sizes[NOW]], active_set.ids[1 - sizes[NOW]]
    rows_now, rows_before = active_set.rows[sizes[NOW]], active_set.rows[1 - sizes[NOW]]
    for k in range(ids.size):
        now[k] = ids[k]
    now[ids.size] = LAST
    if not is_ascending(now[: ids.size]):
        sort(now[: ids.size])
    changed = compare(before, rows_before, now, rows_now, active_set.exited, scratch[0])
    sizes[NUM_ACTIVE], (sizes[NUM_EXITED], sizes[NUM_ENTERED]) = ids.size, changed
    new, wanted = scratch[0, : changed[1]], scratch[1, : changed[1]]
    look_up(now, rows_now, new, rows, wanted, entered[: changed[1]])


@inner
def active_rows(active_set):
    """(k,): the rows of the active features, in the order of their ids."""
    return active_set.rows[active_set.sizes[NOW], : active_set.sizes[NUM_ACTIVE]]
