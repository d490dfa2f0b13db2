"""Row numbers for feature ids, given at first sight, counting from 0.

However many features are possible, memory grows only with those that were seen. A hash table with
open addresses, never more than half full.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.jit import kernel

# Ids of pairs of colours lie close together; the golden ratio spreads them.
SPREAD, TOP_BITS, ONE = np.uint64(0x9E3779B97F4A7C15), np.uint64(20), np.uint64(1)


class Rows(NamedTuple):
    """The table, with room for half as many rows as it has places."""

    keys: NDArray[np.int64]  # id + 1, or 0 for an empty place
    rows: NDArray[np.int64]  # the row of the key there
    ids: NDArray[np.int64]  # the id of each row
    size: NDArray[np.int64]  # one number: how many rows


def new_rows(capacity: int) -> Rows:
    """No rows yet, and room for so many; a power of two."""
    return Rows(
        np.zeros(2 * capacity, np.int64),
        np.zeros(2 * capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(1, np.int64),
    )


def with_room(old: Rows, num_rows: int) -> Rows:
    """The same, with room for so many rows: doubled until they fit."""
    capacity = old.ids.size
    if num_rows <= capacity:
        return old
    while capacity < num_rows:
        capacity *= 2
    new = new_rows(capacity)
    rows_of(old.ids[: old.size[0]], new, np.empty(old.size[0], np.int64))
    return new


@kernel
def place_of(keys, key):
    """Where a key is in the table, or where it would go."""
    mask = np.uint64(keys.size - 1)
    place = ((np.uint64(key) * SPREAD) >> TOP_BITS) & mask
    while keys[place] != key and keys[place] != 0:
        place = (place + ONE) & mask
    return place


@kernel
def row_of(feature, table):
    """The row of an id, the next free one if it is new."""
    place = place_of(table.keys, feature + 1)
    if table.keys[place] == 0:
        row = table.size[0]
        table.keys[place] = feature + 1
        table.rows[place] = row
        table.ids[row] = feature
        table.size[0] = row + 1
    return table.rows[place]


@kernel
def rows_of(ids, table, out):
    """The rows of `ids`; each id that is new gets the next free row."""
    for k in range(ids.size):
        out[k] = row_of(ids[k], table)


@kernel
def known_rows_of(ids, table, out):
    """The rows of those among `ids` that have one; returns how many. Nothing is added."""
    count = 0
    for k in range(ids.size):
        place = place_of(table.keys, ids[k] + 1)
        if table.keys[place] != 0:
            out[count] = table.rows[place]
            count += 1
    return count
