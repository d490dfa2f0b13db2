"""A span: adjacent pixels of one colour in a row, packed into one 64-bit word."""

import numpy as np

from phieb.kernels.numba_support.bits import WORD, ZERO
from phieb.kernels.numba_support.jit import inlined

# From the lowest bit, 16 bits each: left end, right end, colour, and the number of the next span of
# that colour in the same band.
PART = np.uint64(0xFFFF)
RIGHT, COLOUR, NEXT = np.uint64(16), np.uint64(32), np.uint64(48)
NONE = 0xFFFF  # no next span


def packed_span(left, right, colour):
    """A packed span; it has no next span of its colour."""
    ends = np.uint64(left) | (np.uint64(right) << RIGHT)
    return ends | (np.uint64(colour) << COLOUR) | (PART << NEXT)


new_span = inlined(packed_span)


@inlined
def left_of(span):
    """The first column of a span."""
    return np.int64(span & PART)


@inlined
def right_of(span):
    """The last column of a span."""
    return np.int64((span >> RIGHT) & PART)


@inlined
def colour_of(span):
    """The colour of a span."""
    return np.int64((span >> COLOUR) & PART)


@inlined
def next_of(span):
    """The number of the next span of its colour in its band, or `NONE`."""
    return np.int64(span >> NEXT)


@inlined
def is_same_span(one, other):
    """Whether two spans have the same ends and colour."""
    return (one ^ other) << (WORD - NEXT) == ZERO
