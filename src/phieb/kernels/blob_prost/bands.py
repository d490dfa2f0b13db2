"""A screen as bands of identical rows, a band as spans of one colour, and links between spans.

Most rows of a screen repeat the row above, and most are the same as on the previous screen. So
bands, spans and links are kept from screen to screen and recomputed only in rows that changed and
just below them. Initially they are those of a black screen.

The spans of a band start at index (top row · screen width) of `spans`, in order of their left ends.
Spans of one colour in one band within the tolerance of each other are merged into one.
A span is linked to the spans of its colour in the bands above that it meets, that is, that are
within the tolerance of it. The first link, to the nearest band, is in `ups`, the others in `links`.
There is no link to a span that meets one already linked to: those two are linked themselves.

Tables of spans have one dimension and functions have one return: otherwise Numba emits index
multiplications and reference counting in the innermost loops.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.links import link, match
from phieb.kernels.blob_prost.places import COLOURS
from phieb.kernels.blob_prost.spans import (
    NEXT,
    PART,
    colour_of,
    left_of,
    new_span,
    packed_span,
    right_of,
)
from phieb.kernels.numba_support.bits import (
    COLOUR_BITS,
    EIGHT,
    ONE,
    ZERO,
    bytes_on,
    lowest_bit,
)
from phieb.kernels.numba_support.jit import inlined, inner

LAST_BYTE = np.uint64(56)
LINKS_PER_PIXEL = 6  # capacity of `links`


class Bands(NamedTuple):
    """The bands of the previous screen, updated in place to those of the current one."""

    words: NDArray[np.uint64]  # (row, width / 8): the pixels, eight per word
    is_top: NDArray[np.bool_]  # (row,): whether it differs from the row above
    changed: NDArray[np.int32]  # (row,): the last row up to this one that changed, or -2
    tops: NDArray[np.uint32]  # (band + 1,): its top row; after the last band, the number of rows
    num_spans: NDArray[np.uint32]  # (row,): in the band that starts there
    num_links: NDArray[np.uint32]  # (row,): entries of `links` used by the band that starts there
    spans: NDArray[np.uint64]  # (pixel,): packed as in `phieb.kernels.blob_prost.spans`
    ups: NDArray[np.uint32]  # (span,): the span above that it is linked to, or itself
    links: NDArray[np.uint32]  # (6 · pixels,): a span, a span above it, and so on in pairs
    ends: NDArray[np.uint64]  # (width / 64,): last columns of the spans of a row, as bits
    latest: NDArray[np.uint16]  # (colour,): a span of that colour in the current band, if any
    pending: NDArray[np.uint32]  # (width,): spans of the current band that may need more links


def new_bands(height: int, width: int) -> Bands:
    """A black screen of this size: one band, one span.

    The capacity of `links` is enough: the links of a span lead to spans more than the tolerance s
    apart, so apart from the first there are at most 2 + length / (s + 1), and the span has more
    than length / (s + 1) pixels.
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
        np.zeros(height * width * LINKS_PER_PIXEL, np.uint32),
        np.zeros(-(-width // 64), np.uint64),
        np.zeros(COLOURS, np.uint16),
        np.zeros(width, np.uint32),
    )
    bands.is_top[0] = True
    bands.num_spans[0] = 1
    bands.spans[0] = packed_span(0, width - 1, 0)
    return bands


@inlined
def is_same_row(words, row, others, other):
    """Whether two rows have the same pixels, compared without branches."""
    differ = ZERO
    for k in range(words.shape[1]):
        differ |= words[row, k] ^ others[other, k]
    return differ == ZERO


@inner
def find_bands(words, before, is_top, changed, tops):
    """Find the bands of a screen, and copy it to `before`, the previous one; returns how many."""
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
    """Set a bit in `ends` for each pixel that is the last of its row or of its colour's span.

    The first pixel of a word is its lowest byte. Bytes that differ only in the lowest bit are the
    same colour.
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
    """Write the spans of a row of pixels to `spans[first:]`; returns how many."""
    count, left = 0, 0
    for n in range(ends.size):
        bits = ends[n]
        while bits != ZERO:
            right = 64 * n + lowest_bit(bits)
            bits &= bits - ONE
            colour = np.int64(screen[row, right] >> 1)
            k = np.int64(latest[colour])  # stale if its span has another colour
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


@inner
def update_spans(screen, words, num_bands, tolerance, bands):
    """Recompute the spans and links of the bands that differ from those of the previous screen.

    A band is cut into spans again if its top row or the row above changed: it may not have been a
    top row before. It is linked again if any row changed from its top up to the farthest row that
    it may be linked to, or the one above that.
    """
    tops, changed, width = bands.tops, bands.changed, screen.shape[1]
    num_spans, spans, ups, links = bands.num_spans, bands.spans, bands.ups, bands.links
    ends, latest, pending = bands.ends, bands.latest, bands.pending
    farthest = 0  # the topmost band within the tolerance
    for band in range(num_bands):
        top = np.int64(tops[band])
        while farthest < band and tops[farthest + 1] <= top - tolerance:
            farthest += 1
        if changed[top] < np.int64(tops[farthest]) - 1:
            continue
        first, begin = top * width, top * width * LINKS_PER_PIXEL
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
