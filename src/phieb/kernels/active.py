"""Feature ids to rows, and what changed: which rows entered the active set, which left.

Rows are numbers given at first sight. Active rows have slots 0, 1, 2, …; a row that leaves makes
room by moving the row of the last slot into its own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.jit import kernel

NUM_ROWS, NUM_ACTIVE, STAMP, NUM_ENTERED, NUM_LEFT = range(5)  # places in `sizes`
MIX = np.uint64(0x9E3779B97F4A7C15)


class Active(NamedTuple):
    """The active set, and room for `len(slot_of)` rows."""

    keys: NDArray[np.int64]  # a hash table with open addresses: id + 1, or 0 for empty
    rows: NDArray[np.int64]  # the row of each key
    slot_of: NDArray[np.int64]  # (row,): its slot, or -1 while it is not active
    seen: NDArray[np.int64]  # (row,): the stamp of the last observation it was on in
    active: NDArray[np.int64]  # (slot,): its row
    entered: NDArray[np.int64]  # rows that entered, in the order of their new slots
    left: NDArray[np.int64]  # (k, 2): slots that were left and their rows, in order of emptying
    sizes: NDArray[np.int64]


def new_active(capacity: int) -> Active:
    """Nothing seen yet, and room for so many rows; a power of two."""
    return Active(
        np.zeros(2 * capacity, np.int64),
        np.zeros(2 * capacity, np.int64),
        np.full(capacity, -1),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros((capacity, 2), np.int64),
        np.zeros(5, np.int64),
    )


def with_room(old: Active, num_rows: int) -> Active:
    """The same, with room for so many rows: doubled until they fit."""
    capacity = old.slot_of.size
    if num_rows <= capacity:
        return old
    while capacity < num_rows:
        capacity *= 2
    new = new_active(capacity)
    for name in ("slot_of", "seen", "active"):
        getattr(new, name)[: old.slot_of.size] = getattr(old, name)
    new.sizes[:] = old.sizes
    used = old.keys > 0
    rehash(old.keys[used], old.rows[used], new.keys, new.rows)
    return new


@kernel
def place_of(keys, key):
    """Where a key is in the table, or where it would go."""
    mask = np.uint64(keys.size - 1)
    place = (np.uint64(key) * MIX >> np.uint64(20)) & mask
    while keys[place] != key and keys[place] != 0:
        place = (place + np.uint64(1)) & mask
    return place


@kernel
def rehash(old_keys, old_rows, keys, rows):
    """Put all keys into another table."""
    for k in range(old_keys.size):
        place = place_of(keys, old_keys[k])
        keys[place] = old_keys[k]
        rows[place] = old_rows[k]


@kernel
def row_of(ids, k, keys, rows, sizes):
    """The row of the k-th id, the next free one if it is new."""
    place = place_of(keys, ids[k] + 1)
    if keys[place] == 0:
        keys[place] = ids[k] + 1
        rows[place] = sizes[NUM_ROWS]
        sizes[NUM_ROWS] += 1
    return rows[place]


@kernel
def observe(ids, active_set):
    """The features `ids` are on, all others off: who entered, and which slots were left."""
    slot_of, seen, active = active_set.slot_of, active_set.seen, active_set.active
    entered, left, sizes = active_set.entered, active_set.left, active_set.sizes
    sizes[STAMP] += 1
    num_entered = num_left = 0
    for k in range(ids.size):
        row = row_of(ids, k, active_set.keys, active_set.rows, sizes)
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
