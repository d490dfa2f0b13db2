"""Row numbers for feature ids, given at first sight, counting from 0.

However many features are possible, memory grows only with those that were seen. A hash table with
open addresses, never more than half full.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined, kernel
from phieb.kernels.numba_support.memory import prefetch

# Ids of pairs of colours lie close together; the golden ratio spreads them.
SPREAD, TOP_BITS, ONE = np.uint64(0x9E3779B97F4A7C15), np.uint64(20), np.uint64(1)

KEY, ROW = range(2)  # columns of `places`


class Rows(NamedTuple):
    """The table, with room for half as many rows as it has places."""

    places: NDArray[np.int64]  # (place, 2): id + 1, or 0 for an empty place, and the id's row
    ids: NDArray[np.int64]  # the id of each row
    size: NDArray[np.int64]  # one number: how many rows


def new_rows(capacity: int) -> Rows:
    """No rows yet, and room for so many; a power of two."""
    return Rows(
        np.zeros((2 * capacity, 2), np.int64),
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


@inlined
def hashed(key, num_places):
    """Where to look for a key first."""
    return ((np.uint64(key) * SPREAD) >> TOP_BITS) & np.uint64(num_places - 1)


@inlined
def place_of(places, key):
    """Where a key is in the table, or where it would go."""
    place = hashed(key, places.shape[0])
    while places[place, KEY] != key and places[place, KEY] != 0:
        place = (place + ONE) & np.uint64(places.shape[0] - 1)
    return place


@kernel
def rows_of(wanted, table, out):
    """The rows of the ids `wanted`; each that is new gets the next free row."""
    places, ids, size = table
    for k in range(wanted.size):
        prefetch(places, np.int64(hashed(wanted[k] + 1, places.shape[0])), 0)
    for k in range(wanted.size):
        place = place_of(places, wanted[k] + 1)
        if places[place, KEY] == 0:
            places[place, KEY] = wanted[k] + 1
            places[place, ROW] = size[0]
            ids[size[0]] = wanted[k]
            size[0] += 1
        out[k] = places[place, ROW]


@kernel
def known_rows_of(wanted, table, out):
    """The rows of those among the ids `wanted` that have one; returns how many. None is added."""
    places, count = table.places, 0
    for k in range(wanted.size):
        place = place_of(places, wanted[k] + 1)
        if places[place, KEY] != 0:
            out[count] = places[place, ROW]
            count += 1
    return count
