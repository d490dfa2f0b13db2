"""A screen cut into bands of identical rows, a band into runs of one colour, and which runs meet.

Most rows of a screen repeat the row above, and most are as they were on the screen before. So all
that is found here is kept from screen to screen, and found again only in and just below rows that
changed. What is kept at first is that of a black screen.

The runs of a band stand in `runs` from the number of its top row times the width of the screen on,
in order of their left ends. Runs of one colour in one band that come within the tolerance are one.
A run is linked to the runs of its colour that it meets in the bands above: those that come within
the tolerance of it. The first link, to a band as near as possible, is in `ups`, others in `links`.
It is not linked to a run that meets one it is linked to already: those two are linked themselves.

Tables of runs have one dimension, and functions end in one place: with more of either, Numba
multiplies and counts references in the innermost loops.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.places import COLOURS
from phieb.kernels.numba_support.bits import (
    COLOUR_BITS,
    EIGHT,
    ONE,
    WORD,
    ZERO,
    bytes_on,
    lowest_bit,
)
from phieb.kernels.numba_support.jit import inlined, kernel

LAST_BYTE = np.uint64(56)
# A run is a word of four parts: its left and right end, its colour, and the number of the next run
# of its colour in its band.
PART = np.uint64(0xFFFF)
RIGHT, COLOUR, NEXT = np.uint64(16), np.uint64(32), np.uint64(48)
NONE = 0xFFFF  # no next run
LINK_ROOM = 6  # numbers in `links` for each pixel


class Bands(NamedTuple):
    """What is known of the screen before, and then of this one."""

    words: NDArray[np.uint64]  # its pixels, eight a word
    is_top: NDArray[np.bool_]  # (row,): whether it differs from the row above
    changed: NDArray[np.int32]  # (row,): the last row up to this one that changed, or -2
    tops: NDArray[np.uint32]  # (band,): its top row; after the last band the number of rows
    num_runs: NDArray[np.uint32]  # (row,): of the band that starts there
    num_links: NDArray[np.uint32]  # (row,): numbers in `links`
    runs: NDArray[np.uint64]
    ups: NDArray[np.uint32]  # (run,): the run it is linked to, or itself
    links: NDArray[np.uint32]  # a run, one above that it is linked to, and so on
    ends: NDArray[np.uint64]  # of the row being cut: columns where a run ends, as bits
    latest: NDArray[np.uint16]  # (colour,): a run of it in the band at hand, if it has one
    pending: NDArray[np.uint32]  # runs of the band at hand that may still have to be linked


def new_bands(height: int, width: int) -> Bands:
    """A black screen of this size: one band, one run.

    There is room for all links: those of a run lead to runs that are more than the tolerance s
    apart, so beside the first there are at most 2 + length / (s + 1), and the run has more than
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
    bands.num_runs[0] = 1
    bands.runs[0] = new_run(0, width - 1, 0)
    return bands


@inlined
def new_run(left, right, colour):
    """A run from one column to another, the last of its colour so far."""
    ends = np.uint64(left) | (np.uint64(right) << RIGHT)
    return ends | (np.uint64(colour) << COLOUR) | (PART << NEXT)


@inlined
def left_of(run):
    """The first column of a run."""
    return np.int64(run & PART)


@inlined
def right_of(run):
    """The last column of a run."""
    return np.int64((run >> RIGHT) & PART)


@inlined
def colour_of(run):
    """The colour of a run."""
    return np.int64((run >> COLOUR) & PART)


@inlined
def next_of(run):
    """The number of the next run of its colour in its band, or `NONE`."""
    return np.int64(run >> NEXT)


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
def cut(screen, row, ends, runs, first, latest, tolerance):
    """Write the runs of a row of pixels from `first` on; returns how many."""
    count, left = 0, 0
    for n in range(ends.size):
        bits = ends[n]
        while bits != ZERO:
            right = 64 * n + lowest_bit(bits)
            bits &= bits - ONE
            colour = np.int64(screen[row, right] >> 1)
            k = np.int64(latest[colour])  # of another row, unless it is of this colour
            run = runs[first + k] if k < count else ~ZERO
            is_there = colour_of(run) == colour
            if is_there and left - right_of(run) <= tolerance:
                runs[first + k] = new_run(left_of(run), right, colour)
            else:
                if is_there:
                    runs[first + k] = run ^ ((PART ^ np.uint64(count)) << NEXT)
                runs[first + count] = new_run(left, right, colour)
                latest[colour] = count
                count += 1
            left = right + 1
    return count


@inlined
def is_same_run(one, other):
    """Whether two runs have the same ends and colour."""
    return (one ^ other) << (WORD - NEXT) == ZERO


@inlined
def meet(one, other, tolerance):
    """Whether two runs of one colour in bands near each other are within the tolerance."""
    reaches = left_of(one) - tolerance <= right_of(other)
    return reaches and right_of(one) + tolerance >= left_of(other)


@inlined
def covers(one, other):
    """Whether a run goes from left to right as far as another."""
    return left_of(one) <= left_of(other) and right_of(one) >= right_of(other)


@inlined
def match(runs, ups, first, count, above, num_above):
    """Link runs to the same ones in the band above; returns how many from the left, and the right.

    They need no other link, and what they are linked to meets no other run of their band: two of
    one colour would be one.
    """
    most = min(count, num_above)
    left = right = 0
    while left < most and is_same_run(runs[first + left], runs[above + left]):
        ups[first + left] = above + left
        left += 1
    last, shift = first + count - 1, above + num_above - first - count
    while right < most - left and is_same_run(runs[last - right], runs[last - right + shift]):
        ups[last - right] = last - right + shift
        right += 1
    return left, right


@inlined
def is_linked(runs, links, first, end, place, other, tolerance):
    """Whether one of the runs that a run has further links to meets another."""
    found = False
    for k in range(first, end, 2):
        found |= links[k] == place and meet(runs[links[k + 1]], other, tolerance)
    return found


@inlined
def link(runs, ups, links, first, end, above, low, high, latest, pending, count, tolerance):
    """Link pending runs of a band to the runs from `low` to `high` of one above.

    Returns where the links of the band end now, and how many runs are still pending: not those that
    are covered by one they are linked to, for what they meet further up that one meets too.
    """
    still = 0
    for k in range(high - 1, low - 1, -1):
        latest[colour_of(runs[above + k])] = k  # in the end the first of each colour
    for p in range(count):
        place = np.int64(pending[p])
        run, is_covered = runs[place], False
        colour = colour_of(run)
        k = np.int64(latest[colour])
        other = runs[above + k] if low <= k < high else ~ZERO
        if colour_of(other) == colour:
            while right_of(other) < left_of(run) - tolerance and next_of(other) != NONE:
                k = next_of(other)
                other = runs[above + k]
            latest[colour] = k  # those before are too far left for all that follow
            while k != NONE and meet(run, runs[above + k], tolerance):
                other, up = runs[above + k], np.int64(ups[place])
                is_covered |= covers(other, run)
                if up == place:
                    ups[place] = above + k
                elif not meet(runs[up], other, tolerance) and not is_linked(
                    runs, links, first, end, place, other, tolerance
                ):
                    links[end], links[end + 1] = place, above + k
                    end += 2
                k = next_of(other)
        pending[still] = place
        still += not is_covered
    return end, still


@kernel
def update_runs(screen, words, num_bands, tolerance, bands):
    """Cut and link the bands of this screen that differ from those of the screen before.

    A band is cut if its top row changed, or the one above: it may not have been a top. It is linked
    if any row changed from it up to the last it may be linked to, or the one above that.
    """
    tops, changed, width = bands.tops, bands.changed, screen.shape[1]
    num_runs, runs, ups, links = bands.num_runs, bands.runs, bands.ups, bands.links
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
            num_runs[top] = cut(screen, top, ends, runs, first, latest, tolerance)
        above = np.int64(tops[max(band - 1, 0)])
        count, num_above = np.int64(num_runs[top]), np.int64(num_runs[above]) if band > 0 else 0
        low, right = match(runs, ups, first, count, above * width, num_above)
        high, count, end = num_above - right, count - low - right, begin
        for k in range(count):
            ups[first + low + k] = pending[k] = first + low + k
        other = band - 1
        while other >= farthest and count > 0:
            above = np.int64(tops[other]) * width
            end, count = link(
                runs, ups, links, begin, end, above, low, high, latest, pending, count, tolerance
            )
            other -= 1
            low, high = 0, np.int64(num_runs[tops[max(other, 0)]])
        bands.num_links[top] = end - begin
