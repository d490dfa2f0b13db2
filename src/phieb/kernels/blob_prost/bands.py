"""A screen cut into bands of identical rows, a band into spans of one colour, and which spans meet.

Most rows of a screen repeat the row above, and most are as they were on the screen before. So all
that is found here is kept from screen to screen, and found again only in and just below rows that
changed. What is kept at first is that of a black screen.

The spans of a band stand in `spans`, in order of their left ends, from index top row · width of the
screen on. Spans of one colour in one band that come within the tolerance are one.
A span is linked to the spans of its colour that it meets in the bands above: those that come within
the tolerance of it. The first link, to a band as near as possible, is in `ups`, others in `links`.
It is not linked to a span that meets one it is linked to already: those two are linked themselves.

Tables of spans have one dimension, and functions end in one place: with more of either, Numba
multiplies and counts references in the innermost loops.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.links import link, match
from phieb.kernels.blob_prost.places import COLOURS
from phieb.kernels.blob_prost.spans import NEXT, PART, colour_of, left_of, new_span, right_of
from phieb.kernels.numba_support.bits import (
    COLOUR_BITS,
    EIGHT,
    ONE,
    ZERO,
    bytes_on,
    lowest_bit,
)
from phieb.kernels.numba_support.jit import inlined, kernel

LAST_BYTE = np.uint64(56)
LINK_ROOM = 6  # numbers in `links` for each pixel


class Bands(NamedTuple):
    """What is known of the screen before, and then of this one."""

    words: NDArray[np.uint64]  # its pixels, eight a word
    is_top: NDArray[np.bool_]  # (row,): whether it differs from the row above
    changed: NDArray[np.int32]  # (row,): the last row up to this one that changed, or -2
    tops: NDArray[np.uint32]  # (band,): its top row; after the last band the number of rows
    num_spans: NDArray[np.uint32]  # (row,): of the band that starts there
    num_links: NDArray[np.uint32]  # (row,): numbers in `links`
    spans: NDArray[np.uint64]
    ups: NDArray[np.uint32]  # (span,): the span it is linked to, or itself
    links: NDArray[np.uint32]  # a span, one above that it is linked to, and so on
    ends: NDArray[np.uint64]  # of the row being cut: columns where a span ends, as bits
    latest: NDArray[np.uint16]  # (colour,): a span of it in the band at hand, if it has one
    pending: NDArray[np.uint32]  # spans of the band at hand that may still have to be linked


def new_bands(height: int, width: int) -> Bands:
    """A black screen of this size: one band, one span.

    There is room for all links: those of a span lead to spans that are more than the tolerance s
    apart, so beside the first there are at most 2 + length / (s + 1), and the span has more than
    length / (s + 1) pixels.
    """
    bands = Bands(
        np.zeros((height, width // 8), np.uint64),
        np.zeros(height, np.bool_),
        np.zeros(height, np.int32),
        np.zeros(height + 1, np.uint32),
        np.zeros(height, np.uint32),
        np.zeros(height, np.uint32),
        np.zeros(height * width, np.uint64),
        np.zeros(height * width, np.uint32),
        np.zeros(height * width * LINK_ROOM, np.uint32),
        np.zeros(-(-width // 64), np.uint64),
        np.zeros(COLOURS, np.uint16),
        np.zeros(width, np.uint32),
    )
    bands.is_top[0] = True
    bands.num_spans[0] = 1
    bands.spans[0] = new_span(0, width - 1, 0)
    return bands


@inlined
def is_same_row(words, row, others, other):
    """Whether two rows have the same pixels, all compared at once."""
    differ = ZERO
    for k in range(words.shape[1]):
        differ |= words[row, k] ^ others[other, k]
    return differ == ZERO


@kernel
def find_bands(words, before, is_top, changed, tops):
    """Take over the pixels of a screen; returns how many bands it has."""
    last_changed, num_bands = -2, 0
    for row in range(words.shape[0]):
        if not is_same_row(words, row, before, row):
            for k in range(words.shape[1]):
                before[row, k] = words[row, k]
            last_changed = row
        if last_changed >= row - 1 and row > 0:
            is_top[row] = not is_same_row(words, row, words, row - 1)
        changed[row] = last_changed
        tops[num_bands] = row
        num_bands += is_top[row]
    tops[num_bands] = words.shape[0]
    return num_bands


@inlined
def mark_ends(words, row, ends):
    """A bit for every pixel whose right neighbour has another colour, and for the last.

    The first pixel of a word is its lowest byte. Bytes that differ in the lowest bit only are one
    colour.
    """
    last, bits = words.shape[1] - 1, ZERO
    for k in range(last + 1):
        after = words[row, k + 1] if k < last else ~(words[row, k] >> LAST_BYTE)
        neighbours = (words[row, k] >> EIGHT) | (after << LAST_BYTE)
        on = bytes_on((words[row, k] ^ neighbours) & COLOUR_BITS)
        bits |= on << np.uint64((k & 7) << 3)
        if k & 7 == 7 or k == last:
            ends[k >> 3] = bits
            bits = ZERO


@inlined
def cut(screen, row, ends, spans, first, latest, tolerance):
    """Write the spans of a row of pixels from `first` on; returns how many."""
    count, left = 0, 0
    for n in range(ends.size):
        bits = ends[n]
        while bits != ZERO:
            right = 64 * n + lowest_bit(bits)
            bits &= bits - ONE
            colour = np.int64(screen[row, right] >> 1)
            k = np.int64(latest[colour])  # of another row, unless it is of this colour
            span = spans[first + k] if k < count else ~ZERO
            is_there = colour_of(span) == colour
            if is_there and left - right_of(span) <= tolerance:
                spans[first + k] = new_span(left_of(span), right, colour)
            else:
                if is_there:
                    spans[first + k] = span ^ ((PART ^ np.uint64(count)) << NEXT)
                spans[first + count] = new_span(left, right, colour)
                latest[colour] = count
                count += 1
            left = right + 1
    return count


@kernel
def update_spans(screen, words, num_bands, tolerance, bands):
    """Cut and link the bands of this screen that differ from those of the screen before.

    A band is cut if its top row changed, or the one above: it may not have been a top. It is linked
    if any row changed from it up to the last it may be linked to, or the one above that.
    """
    tops, changed, width = bands.tops, bands.changed, screen.shape[1]
    num_spans, spans, ups, links = bands.num_spans, bands.spans, bands.ups, bands.links
    ends, latest, pending = bands.ends, bands.latest, bands.pending
    farthest = 0  # the first band that ends within the tolerance
    for band in range(num_bands):
        top = np.int64(tops[band])
        while farthest < band and tops[farthest + 1] <= top - tolerance:
            farthest += 1
        if changed[top] < np.int64(tops[farthest]) - 1:
            continue
        first, begin = top * width, top * width * LINK_ROOM
        if changed[top] >= top - 1:
            mark_ends(words, top, ends)
            num_spans[top] = cut(screen, top, ends, spans, first, latest, tolerance)
        above = np.int64(tops[max(band - 1, 0)])
        count, num_above = np.int64(num_spans[top]), np.int64(num_spans[above]) if band > 0 else 0
        low, right = match(spans, ups, first, count, above * width, num_above)
        high, count, end = num_above - right, count - low - right, begin
        for k in range(count):
            ups[first + low + k] = pending[k] = first + low + k
        other = band - 1
        while other >= farthest and count > 0:
            above = np.int64(tops[other]) * width
            progress, candidates = (begin, end, count), (above, low, high)
            end, count = link(spans, ups, links, progress, candidates, latest, pending, tolerance)
            other -= 1
            low, high = 0, np.int64(num_spans[tops[max(other, 0)]])
        bands.num_links[top] = end - begin
