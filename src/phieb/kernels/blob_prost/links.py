"""Links from spans to spans of their colour in the bands above (see `bands`)."""

import numpy as np

from phieb.kernels.blob_prost.spans import (
    NONE,
    colour_of,
    is_same_span,
    left_of,
    next_of,
    right_of,
)
from phieb.kernels.numba_support.bits import ZERO
from phieb.kernels.numba_support.jit import inlined


@inlined
def meet(one, other, tolerance):
    """Whether two spans of one colour in bands near each other are within the tolerance."""
    reaches = left_of(one) - tolerance <= right_of(other)
    return reaches and right_of(one) + tolerance >= left_of(other)


@inlined
def covers(one, other):
    """Whether a span covers all columns of another."""
    return left_of(one) <= left_of(other) and right_of(one) >= right_of(other)


@inlined
def match(spans, ups, first, count, above, num_above):
    """Link spans to identical ones in the band above; returns how many from the left and right.

    They need no other link, and the span above meets no other span of their band: two spans of one
    colour that close would have been merged.
    """
    most = min(count, num_above)
    left = right = 0
    while left < most and is_same_span(spans[first + left], spans[above + left]):
        ups[first + left] = above + left
        left += 1
    last, shift = first + count - 1, above + num_above - first - count
    while right < most - left and is_same_span(spans[last - right], spans[last - right + shift]):
        ups[last - right] = last - right + shift
        right += 1
    return left, right


@inlined
def is_linked(spans, links, first, end, place, other, tolerance):
    """Whether `other` meets a span that span `place` is linked to by `links[first:end]`."""
    found = False
    for k in range(first, end, 2):
        found |= links[k] == place and meet(spans[links[k + 1]], other, tolerance)
    return found


@inlined
def link(spans, ups, links, progress, candidates, latest, pending, tolerance):
    """Link the pending spans of a band to spans of a band above it.

    Arrays are those of `Bands`. `progress` is the range of this band's links and the number of
    pending spans; `candidates` is the index of the upper band's first span, and the range of its
    spans to consider. Returns the new end of the links and the number of spans still pending. A
    span covered by one it is linked to is done: that one meets all that it would meet further up.
    """
    (first, end, count), (above, low, high) = progress, candidates
    num_pending = 0
    for k in range(high - 1, low - 1, -1):
        latest[colour_of(spans[above + k])] = k  # leaves the first of each colour
    for p in range(count):
        place = np.int64(pending[p])
        span, is_covered = spans[place], False
        colour = colour_of(span)
        k = np.int64(latest[colour])
        other = spans[above + k] if low <= k < high else ~ZERO
        if colour_of(other) == colour:
            while right_of(other) < left_of(span) - tolerance and next_of(other) != NONE:
                k = next_of(other)
                other = spans[above + k]
            latest[colour] = k  # earlier ones are too far left for all later spans
            while k != NONE and meet(span, spans[above + k], tolerance):
                other, up = spans[above + k], np.int64(ups[place])
                is_covered |= covers(other, span)
                if up == place:
                    ups[place] = above + k
                elif not meet(spans[up], other, tolerance) and not is_linked(
                    spans, links, first, end, place, other, tolerance
                ):
                    links[end], links[end + 1] = place, above + k
                    end += 2
                k = next_of(other)
        pending[num_pending] = place
        num_pending += not is_covered
    return end, num_pending
