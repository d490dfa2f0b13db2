"""Which spans meet those of the bands above: links between spans of one colour (see `bands`)."""

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
    """Whether a span goes from left to right as far as another."""
    return left_of(one) <= left_of(other) and right_of(one) >= right_of(other)


@inlined
def match(spans, ups, first, count, above, num_above):
    """Link spans to the same ones in the band above; returns how many from the left, and the right.

    They need no other link, and what they are linked to meets no other span of their band: two of
    one colour would be one.
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
    """Whether one of the spans that a span has further links to meets another."""
    found = False
    for k in range(first, end, 2):
        found |= links[k] == place and meet(spans[links[k + 1]], other, tolerance)
    return found


@inlined
def link(spans, ups, links, progress, candidates, latest, pending, tolerance):
    """Link the pending spans of a band to spans of a band above it.

    Arrays are those of `Bands`. `progress` says where the links of this band begin and end, and how
    many spans are pending; `candidates` is the index of the upper band's first span, and the range
    of its spans to consider. Returns where the links end now, and how many spans are still pending:
    a span covered by one it is linked to is done, for that one meets all it would meet further up.
    """
    (first, end, count), (above, low, high) = progress, candidates
    still = 0
    for k in range(high - 1, low - 1, -1):
        latest[colour_of(spans[above + k])] = k  # in the end the first of each colour
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
            latest[colour] = k  # those before are too far left for all that follow
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
        pending[still] = place
        still += not is_covered
    return end, still
