"""Row numbers for feature ids, assigned from 0 in the order in which ids are first seen.

Memory grows with the number of features seen, not with the number of possible ones. The table is a
hash table with open addressing and linear probing, at most half full.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined, kernel
from phieb.kernels.numba_support.memory import prefetch

# Ids of pairs of colours are close together; Fibonacci hashing spreads them.
SPREAD, TOP_BITS, ONE = np.uint64(0x9E3779B97F4A7C15), np.uint64(20), np.uint64(1)

KEY, ROW = range(2)  # columns of `places`


class Rows(NamedTuple):
    """The hash table, with a capacity of `ids.size` rows."""

    places: NDArray[np.int64]  # (2 · capacity, 2): id + 1, or 0 if empty, and the id's row
    ids: NDArray[np.int64]  # (capacity,): the id of each row
    size: NDArray[np.int64]  # (1,): the number of rows in use


def new_rows(capacity: int) -> Rows:
    """An empty table; the capacity must be a power of two."""
    return Rows(
        np.zeros((2 * capacity, 2), np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(1, np.int64),
    )


def with_capacity(old: Rows, num_rows: int) -> Rows:
    """The same, with capacity for `num_rows` rows: doubled until they fit."""
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
    """The place at which the search for a key starts."""
    return ((np.uint64(key) * SPREAD) >> TOP_BITS) & np.uint64(num_places - 1)


@inlined
def place_of(places, key):
    """The place of a key, or the empty place where it belongs."""
    place = hashed(key, places.shape[0])
    while places[place, KEY] != key and places[place, KEY] != 0:
        place = (place + ONE) & np.uint64(places.shape[0] - 1)
    return place


@kernel
def rows_of(wanted, table, out):
    """Write the rows of the ids `wanted` to `out`; each new id gets the next free row."""
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
    """Write the rows of those ids in `wanted` that have one to `out`; returns how many."""
    places, count = table.places, 0
    for k in range(wanted.size):
        place = place_of(places, wanted[k] + 1)
        if places[place, KEY] != 0:
            out[count] = places[place, ROW]
            count += 1
    return count
