"""From the places of colours to feature ids: basic features, pairs in space, pairs in time.

The offsets of two colours are collected as bits, one row of tiles at a time, so that each is found
once and ids come in ascending order. If neither colour has moved to other tiles since the previous
decision, its ids are copied from the previous buffer. `starts` has, for each pair of colours, the
index of its first id: pairs with c1 < c2, then c1 = c2, then pairs in time, then the end. Buffers
are reused; if one is too small, the ids that do not fit are dropped but still counted.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.places import (
    COLOUR,
    COLOURS,
    COLUMNS,
    END,
    FIRST,
    ROW,
    WAS,
    compare_places,
)
from phieb.kernels.numba_support.bits import ONE, WORD, ZERO, bits_above, lowest_bit
from phieb.kernels.numba_support.jit import inlined, inner, kernel

IN_SPACE, IN_TIME = range(2)  # kinds of pairs


class Layout(NamedTuple):
    """First id of each kind of feature. Offsets range over −(n − 1) … n − 1 in either direction."""

    num_rows: int  # of tiles
    num_columns: int
    num_offsets: int  # (2·num_rows − 1)(2·num_columns − 1)
    different: int  # first id of space pairs of two colours, or -1: no space pairs
    same: int  # first id of space pairs of one colour
    time: int  # first id of time pairs, or -1: no time pairs
    bias: int


class IdTables(NamedTuple):
    """What the ids of a screen's features are computed from and written to.

    A feature map has two of these, which take turns: "then" is the previous screen.
    """

    then: NDArray[np.int64]  # (row, 5): places (`phieb.kernels.blob_prost.places`)
    now: NDArray[np.int64]  # (row, 5)
    layout: Layout
    offsets: NDArray[np.uint64]  # scratch (2·num_rows − 1, 2): all 0 between calls
    starts_then: NDArray[np.uint32]  # (pair,)
    starts: NDArray[np.uint32]  # (pair,)
    ids_then: NDArray[np.int64]  # (capacity,); empty: nothing is copied
    ids: NDArray[np.int64]  # (capacity,)


class Written(NamedTuple):
    """The ids of one decision."""

    starts: NDArray[np.uint32]  # (pair,): index of the first id of each pair of colours
    ids: NDArray[np.int64]  # (capacity,)
    num_colours: int  # on the screen


def new_starts() -> NDArray[np.uint32]:
    """An array with a place for every pair of colours, and the end."""
    return np.zeros(COLOURS * (COLOURS + 1) // 2 + COLOURS**2 + 1, np.uint32)


@inlined
def emit_bits(out, n, start, bits):
    """Write the ids start + j for all bits j of a word; returns the number of ids so far."""
    while bits != ZERO:
        if n < out.size:
            out[n] = start + lowest_bit(bits)
        n += 1
        bits &= bits - ONE  # without its lowest bit
    return n


@inlined
def basic_features(places, layout, out, n):
    """Write the ids of the basic features: a colour in a tile."""
    for i in range(1, places[0, 0] + 1):
        row = places[i, COLOUR] * layout.num_rows + places[i, ROW]
        n = emit_bits(out, n, row * layout.num_columns, np.uint64(places[i, COLUMNS]))
    return n


@inlined
def mark_offsets(ones, i, others, j, layout, offsets):
    """Mark the offsets tile(one) − tile(other) of the colours at rows i and j, as bits."""
    last_row, last_column = layout.num_rows - 1, np.uint64(layout.num_columns - 1)
    for m in range(j, others[j, END]):
        columns = np.uint64(others[m, COLUMNS])
        while columns != ZERO:
            shift = last_column - np.uint64(lowest_bit(columns))
            columns &= columns - ONE
            for k in range(i, ones[i, END]):
                row = ones[k, ROW] - others[m, ROW] + last_row
                bits = np.uint64(ones[k, COLUMNS])
                offsets[row, 0] |= bits << shift
                if shift != ZERO:  # a shift by the whole word is not defined
                    offsets[row, 1] |= bits >> (WORD - shift)


@inlined
def emit_offsets(offsets, lowest, highest, start, width, out, n):
    """Write the ids of the offsets marked in these rows, and unmark them."""
    for row in range(lowest, highest + 1):
        n = emit_bits(out, n, start + row * width, offsets[row, 0])
        n = emit_bits(out, n, start + row * width + 64, offsets[row, 1])
        offsets[row, 0] = ZERO
        offsets[row, 1] = ZERO
    return n


@inlined
def is_one_tile(places, i):
    """Whether the colour at i is in a single tile."""
    columns = places[i, COLUMNS]
    return places[i, END] == i + 1 and columns & (columns - 1) == 0


@inlined
def offsets_from_one(one, i, others, j, layout, start, out, n):
    """Write the offsets of a colour in one tile from another colour: they are all different."""
    width = 2 * layout.num_columns - 1
    middle = start + layout.num_offsets // 2
    mine = middle + one[i, ROW] * width + lowest_bit(np.uint64(one[i, COLUMNS]))
    for m in range(others[j, END] - 1, j - 1, -1):  # backwards: ids ascend
        columns = np.uint64(others[m, COLUMNS])
        while columns != ZERO:
            column = 63 - bits_above(columns)
            if n < out.size:
                out[n] = mine - others[m, ROW] * width - column
            n += 1
            columns ^= ONE << np.uint64(column)
    return n


@inlined
def offsets_to_one(ones, i, other, j, layout, start, out, n):
    """Write the offsets of a colour from one in a single tile: they are all different."""
    width = 2 * layout.num_columns - 1
    middle = start + layout.num_offsets // 2
    first = middle - other[j, ROW] * width - lowest_bit(np.uint64(other[j, COLUMNS]))
    for k in range(i, ones[i, END]):
        n = emit_bits(out, n, first + ones[k, ROW] * width, np.uint64(ones[k, COLUMNS]))
    return n


@inlined
def offsets_between(ones, others, at, layout, offsets, start, out, n):
    """Write the offsets of two colours, at rows (i, j) = `at`, each in several tiles."""
    i, j = at
    mark_offsets(ones, i, others, j, layout, offsets)
    middle, width = layout.num_rows - 1, 2 * layout.num_columns - 1
    lowest = ones[i, ROW] - others[others[j, END] - 1, ROW]
    highest = ones[ones[i, END] - 1, ROW] - others[j, ROW]
    return emit_offsets(offsets, middle + lowest, middle + highest, start, width, out, n)


@inlined
def same_colour_features(places, i, layout, offsets, start, out, n):
    """Write half of the offsets of a colour from itself: (a, b) and (−a, −b) are one feature."""
    mark_offsets(places, i, places, i, layout, offsets)
    middle, width = layout.num_rows - 1, 2 * layout.num_columns - 1
    extent = places[places[i, END] - 1, ROW] - places[i, ROW]
    first = start - layout.num_offsets // 2  # where the omitted half would start
    offsets[middle, 0] &= ~((ONE << np.uint64(layout.num_columns - 1)) - ONE)  # left of (0, 0)
    for row in range(middle - extent, middle):
        offsets[row, 0] = ZERO
        offsets[row, 1] = ZERO
    return emit_offsets(offsets, middle, middle + extent, first, width, out, n)


@inlined
def copy(source, first, count, out, n):
    """Copy `count` ids, or as many of them as both buffers hold."""
    a, b = np.uint64(first), np.uint64(n)  # unsigned: lets LLVM vectorise the loop
    for k in range(np.uint64(max(min(count, out.size - n, source.size - first), 0))):
        out[b + k] = source[a + k]


@inlined
def pairs_in_space(count, layout):
    """The number of pairs of different or equal colours; 0 if the map has no pairs in space."""
    return count * (count + 1) // 2 if layout.different >= 0 else 0


@inlined
def pairs_before(kind, one, count):
    """The index of the pair (one, 0) among those of `count` colours, real or hypothetical."""
    return one * count if kind == IN_TIME else one * (2 * count - one - 1) // 2 - one - 1


@inner
def two_colours(kind, ones, others, layout, offsets, before, now, n):
    """Write two colours and their offset: c1 < c2, or c1 at the previous decision.

    Pairs to copy are mostly adjacent in the previous buffer: adjacent ones are copied together.
    """
    old_starts, old_ids, starts, out = before.starts, before.ids, now.starts, now.ids
    num_then = before.num_colours
    first_id = layout.time if kind == IN_TIME else layout.different
    pair = pairs_in_space(others[0, 1], layout) if kind == IN_TIME else 0
    old_pair = pairs_in_space(num_then, layout) if kind == IN_TIME else 0
    i = FIRST
    first = count = np.int64(0)  # the last `count` of the n ids are still to be copied
    while i <= ones[0, 0]:
        start = first_id + pairs_before(kind, ones[i, COLOUR], COLOURS) * layout.num_offsets
        row = old_pair + pairs_before(kind, ones[i, WAS], num_then)
        j = FIRST if kind == IN_TIME else ones[i, END]
        while j <= others[0, 0]:
            starts[pair] = n
            pair += 1
            if old_ids.size > 0 and ones[i, WAS] >= 0 and others[j, WAS] >= 0:
                old = np.int64(old_starts[row + others[j, WAS]])
                if old != first + count:
                    copy(old_ids, first, count, out, n - count)
                    first, count = old, 0
                more = np.int64(old_starts[row + others[j, WAS] + 1]) - old
                count += more
                n += more
            else:
                copy(old_ids, first, count, out, n - count)
                count = 0
                here = start + others[j, COLOUR] * layout.num_offsets
                if is_one_tile(others, j):
                    n = offsets_to_one(ones, i, others, j, layout, here, out, n)
                elif is_one_tile(ones, i):
                    n = offsets_from_one(ones, i, others, j, layout, here, out, n)
                else:
                    n = offsets_between(ones, others, (i, j), layout, offsets, here, out, n)
            j = others[j, END]
        i = ones[i, END]
    copy(old_ids, first, count, out, n - count)
    starts[pair] = n
    return n


@inner
def one_colour(places, layout, offsets, before, now, n):
    """Write pairs of one colour with itself, and their offset."""
    old_starts, old_ids, starts, out = before.starts, before.ids, now.starts, now.ids
    pair = places[0, 1] * (places[0, 1] - 1) // 2  # after pairs of two colours
    old_pair = before.num_colours * (before.num_colours - 1) // 2
    i = FIRST
    while i <= places[0, 0]:
        starts[pair] = n
        pair += 1
        if old_ids.size > 0 and places[i, WAS] >= 0:
            old = np.int64(old_starts[old_pair + places[i, WAS]])
            count = np.int64(old_starts[old_pair + places[i, WAS] + 1]) - old
            copy(old_ids, old, count, out, n)
            n += count
        else:
            start = layout.same + places[i, COLOUR] * (layout.num_offsets // 2 + 1)
            n = same_colour_features(places, i, layout, offsets, start, out, n)
        i = places[i, END]
    starts[pair] = n
    return n


@kernel
def write_ids(tables):
    """Write the ids of all features of a screen, ascending; returns how many, even if too many."""
    then, now, layout = tables.then, tables.now, tables.layout
    offsets, out = tables.offsets, tables.ids
    compare_places(then, now)
    old = Written(tables.starts_then, tables.ids_then, then[0, 1])
    new = Written(tables.starts, out, now[0, 1])
    n = basic_features(now, layout, out, np.int64(0))
    if layout.different >= 0:
        n = two_colours(IN_SPACE, now, now, layout, offsets, old, new, n)
        n = one_colour(now, layout, offsets, old, new, n)
    if layout.time >= 0:
        n = two_colours(IN_TIME, then, now, layout, offsets, old, new, n)
    return emit_bits(out, n, layout.bias, ONE)
