"""From the places of colours to feature ids: basic features, pairs in space, pairs in time.

The offsets of two colours are found a row of tiles at a time, as bits, so that none is found
twice, and in ascending order. Where neither colour has moved to other tiles since the decision
before, their ids are copied from what was written then. Ids are written to a buffer that is reused;
one that is too small loses ids but not their count.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.bits import ONE, WORD, ZERO, bits_above, lowest_bit
from phieb.kernels.jit import inlined, kernel
from phieb.kernels.places import COLOUR, COLOURS, COLUMNS, END, ROW, SAME, compare_places

IN_SPACE, IN_TIME = range(2)  # kinds of segments


class Layout(NamedTuple):
    """Where each kind of feature has its ids. Offsets run from −(n − 1) to n − 1 each way."""

    num_rows: int  # of tiles
    num_columns: int
    num_offsets: int  # (2·num_rows − 1)(2·num_columns − 1)
    different: int  # first id of space pairs of two colours, or -1: no space pairs
    same: int  # first id of space pairs of one colour
    time: int  # first id of time pairs, or -1: no time pairs
    bias: int


def new_segments() -> NDArray[np.int32]:
    """Where the ids of each pair of colours stand: (space or time, c1, c2) → first, how many."""
    return np.zeros((2, COLOURS, COLOURS, 2), np.int32)


@inlined
def emit_bits(out, n, start, bits):
    """Write the ids start + j for all bits j of a word; returns the number of ids so far."""
    while bits != ZERO:
        if n < out.size:
            out[n] = start + lowest_bit(bits)
        n += 1
        bits &= bits - ONE  # without its lowest bit
    return n


@kernel
def basic_features(places, layout, out, n):
    """A colour in a tile."""
    for i in range(1, places[0, 0] + 1):
        row = places[i, COLOUR] * layout.num_rows + places[i, ROW]
        n = emit_bits(out, n, row * layout.num_columns, np.uint64(places[i, COLUMNS]))
    return n


@inlined
def mark_offsets(ones, i, others, j, layout, offsets):
    """Mark the offsets tile(one) − tile(other) of the two colours at i and j, as bits."""
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


@kernel
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


@kernel
def offsets_from_one(one, i, others, j, layout, start, out, n):
    """The offsets of a colour in a single tile from another colour: none can come twice."""
    width = 2 * layout.num_columns - 1
    middle = start + layout.num_offsets // 2
    mine = middle + one[i, ROW] * width + lowest_bit(np.uint64(one[i, COLUMNS]))
    for m in range(others[j, END] - 1, j - 1, -1):  # from the last: the largest offset is least
        columns = np.uint64(others[m, COLUMNS])
        while columns != ZERO:
            column = 63 - bits_above(columns)
            if n < out.size:
                out[n] = mine - others[m, ROW] * width - column
            n += 1
            columns ^= ONE << np.uint64(column)
    return n


@kernel
def offsets_to_one(ones, i, other, j, layout, start, out, n):
    """The offsets of a colour from one in a single tile: none can come twice."""
    width = 2 * layout.num_columns - 1
    middle = start + layout.num_offsets // 2
    first = middle - other[j, ROW] * width - lowest_bit(np.uint64(other[j, COLUMNS]))
    for k in range(i, ones[i, END]):
        n = emit_bits(out, n, first + ones[k, ROW] * width, np.uint64(ones[k, COLUMNS]))
    return n


@kernel
def pair_features(ones, i, others, j, layout, offsets, start, out, n):
    """One feature for each offset of the colours at i and j."""
    if is_one_tile(others, j):
        return offsets_to_one(ones, i, others, j, layout, start, out, n)
    if is_one_tile(ones, i):
        return offsets_from_one(ones, i, others, j, layout, start, out, n)
    mark_offsets(ones, i, others, j, layout, offsets)
    middle, width = layout.num_rows - 1, 2 * layout.num_columns - 1
    lowest = ones[i, ROW] - others[others[j, END] - 1, ROW]
    highest = ones[ones[i, END] - 1, ROW] - others[j, ROW]
    return emit_offsets(offsets, middle + lowest, middle + highest, start, width, out, n)


@kernel
def same_colour_features(places, i, layout, offsets, start, out, n):
    """Of one colour only half of the offsets: each also stands there the other way round."""
    mark_offsets(places, i, places, i, layout, offsets)
    middle, width = layout.num_rows - 1, 2 * layout.num_columns - 1
    extent = places[places[i, END] - 1, ROW] - places[i, ROW]
    first = start - layout.num_offsets // 2  # where the offsets left out would have begun
    offsets[middle, 0] &= ~((ONE << np.uint64(layout.num_columns - 1)) - ONE)  # left of (0, 0)
    for row in range(middle - extent, middle):
        offsets[row, 0] = ZERO
        offsets[row, 1] = ZERO
    return emit_offsets(offsets, middle, middle + extent, first, width, out, n)


@inlined
def copy_segment(segments, kind, c1, c2, before, out, n):
    """Write again what was written of two colours at the decision before."""
    first = segments[kind, c1, c2, 0]
    for k in range(segments[kind, c1, c2, 1]):
        if n < out.size:
            out[n] = before[first + k]
        n += 1
    return n


@kernel
def space_features(places, layout, offsets, segments, before, out, n):
    """Two colours c1 < c2 and the offset between them, then the pairs of one colour."""
    i = 1
    while i <= places[0, 0]:
        c1 = places[i, COLOUR]
        earlier = c1 * (2 * COLOURS - c1 - 1) // 2 - c1 - 1  # pairs before (c1, 0), if it were one
        j = places[i, END]
        while j <= places[0, 0]:
            c2, first = places[j, COLOUR], n
            if before.size > 0 and places[i, SAME] and places[j, SAME]:
                n = copy_segment(segments, IN_SPACE, c1, c2, before, out, n)
            else:
                start = layout.different + (earlier + c2) * layout.num_offsets
                n = pair_features(places, i, places, j, layout, offsets, start, out, n)
            segments[IN_SPACE, c1, c2, 0], segments[IN_SPACE, c1, c2, 1] = first, n - first
            j = places[j, END]
        i = places[i, END]
    return same_features(places, layout, offsets, segments, before, out, n)


@kernel
def same_features(places, layout, offsets, segments, before, out, n):
    """Twice the same colour and the offset between the two."""
    i = 1
    while i <= places[0, 0]:
        c, first = places[i, COLOUR], n
        if before.size > 0 and places[i, SAME]:
            n = copy_segment(segments, IN_SPACE, c, c, before, out, n)
        else:
            start = layout.same + c * (layout.num_offsets // 2 + 1)
            n = same_colour_features(places, i, layout, offsets, start, out, n)
        segments[IN_SPACE, c, c, 0], segments[IN_SPACE, c, c, 1] = first, n - first
        i = places[i, END]
    return n


@kernel
def time_features(then, now, layout, offsets, segments, before, out, n):
    """A colour at the previous decision, one now, and the offset between them."""
    i = 1
    while i <= then[0, 0]:
        c1, j = then[i, COLOUR], 1
        while j <= now[0, 0]:
            c2, first = now[j, COLOUR], n
            if before.size > 0 and then[i, SAME] and now[j, SAME]:
                n = copy_segment(segments, IN_TIME, c1, c2, before, out, n)
            else:
                start = layout.time + (c1 * COLOURS + c2) * layout.num_offsets
                n = pair_features(then, i, now, j, layout, offsets, start, out, n)
            segments[IN_TIME, c1, c2, 0], segments[IN_TIME, c1, c2, 1] = first, n - first
            j = now[j, END]
        i = then[i, END]
    return n


@kernel
def write_ids(then, now, layout, offsets, segments, before, out):
    """All features of a decision, ascending; returns how many, also if the buffer is too small.

    `offsets` is (2·num_rows − 1, 2), all 0 before and after; `before` has the ids that were written
    at the decision before, or is empty: then none is copied.
    """
    compare_places(then, now)
    n = basic_features(now, layout, out, 0)
    if layout.different >= 0:
        n = space_features(now, layout, offsets, segments, before, out, n)
    if layout.time >= 0:
        n = time_features(then, now, layout, offsets, segments, before, out, n)
    return emit_bits(out, n, layout.bias, ONE)
