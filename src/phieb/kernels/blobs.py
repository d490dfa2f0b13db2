"""From a screen to where its blobs are: connected components of one colour, by union-find on runs.

Most rows of a screen repeat the row above. The screen is cut into bands of identical rows, a band
into runs of one colour. A run that goes on from the band above, with the same ends, is one box with
it; boxes of one colour that come within the tolerance are joined.

`runs` is a table of such boxes, a row each. Those of a colour stand in two chains: one has all of
them, the other the live ones, which a new box can still meet: those that ended within the
tolerance and are not covered from left to right by a later one (what meets them then meets it).

Where a colour is depends on its own pixels only: from one screen to the next, only colours that
lost or gained a pixel are looked at again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.bits import BYTE, COLOUR_BITS, EIGHT, ONE, ZERO, lowest_bit
from phieb.kernels.jit import inlined, kernel
from phieb.kernels.places import COLOURS, END, add_colour, copy_colour, is_at

# Columns of `runs`: the box (in the end, of a root, that of its blob), colour, parent in the
# forest, next in the chain of all, next in the chain of live ones.
TOP, BOTTOM, LEFT, RIGHT, RUN_COLOUR, PARENT, NEXT, NEXT_LIVE = range(8)
# Columns of `heads`, a row a colour: where the two chains begin; how far along the second the
# runs of a band have come, and the top of that band; whether the colour has other pixels than on
# the screen before.
ALL, LIVE, CURSOR, BAND, CHANGED = range(5)

LAST_BYTE = np.uint64(56)


class Scratch(NamedTuple):
    """Room to find the blobs of one screen in."""

    runs: NDArray[np.int32]  # for the worst screen: every pixel a run
    heads: NDArray[np.int32]
    starts: NDArray[np.int32]  # (column,): the last run that starts there, or -1
    edges: NDArray[np.uint64]  # a row of bytes, eight a word: not 0 where a run ends
    grid: NDArray[np.int64]  # (row of tiles,): columns of tiles as bits, 0 before and after
    before: NDArray[np.uint64]  # the screen before, eight pixels a word


def new_scratch(height: int, width: int, num_rows: int) -> Scratch:
    """Room for screens of this size, with `num_rows` rows of tiles."""
    return Scratch(
        np.zeros((height * width, 8), np.int32),
        np.zeros((COLOURS, 5), np.int32),
        np.zeros(width, np.int32),
        np.zeros(width // 8, np.uint64),
        np.zeros(num_rows, np.int64),
        np.zeros((height, width // 8), np.uint64),
    )


@inlined
def root(runs, run):
    """The root of a run's tree, halving the path on the way."""
    while runs[run, PARENT] != run:
        runs[run, PARENT] = runs[runs[run, PARENT], PARENT]
        run = runs[run, PARENT]
    return run


@inlined
def join(runs, run, other):
    """Make two runs one blob; the earlier root stays root."""
    if runs[run, PARENT] == runs[other, PARENT]:
        return
    one, two = root(runs, run), root(runs, other)
    if one < two:
        runs[two, PARENT] = one
    else:
        runs[one, PARENT] = two


@inlined
def join_live(runs, run, head, cursor, tolerance):
    """Join a new run with the live ones it meets, and put it among them; returns head and cursor.

    The chain is in order of left ends. All up to the cursor end too far left to be met by this run
    or those that follow in its band.
    """
    top, left, right = runs[run, TOP], runs[run, LEFT], runs[run, RIGHT]
    place = before = cursor
    live = head if cursor < 0 else runs[cursor, NEXT_LIVE]
    while live >= 0 and runs[live, LEFT] <= right + tolerance:
        after = runs[live, NEXT_LIVE]
        near = runs[live, BOTTOM] >= top - tolerance
        meets = runs[live, RIGHT] >= left - tolerance
        if near and meets:
            join(runs, run, live)
        if near and (runs[live, LEFT] < left or runs[live, RIGHT] > right):
            if not meets and before == cursor:
                cursor = live
            if runs[live, LEFT] <= left:
                place = live
            before = live
        elif before >= 0:  # out of reach or covered: no longer live
            runs[before, NEXT_LIVE] = after
        else:
            head = after
        live = after
    if place < 0:
        runs[run, NEXT_LIVE] = head
        return run, cursor
    runs[run, NEXT_LIVE] = runs[place, NEXT_LIVE]
    runs[place, NEXT_LIVE] = run
    return head, cursor


@inlined
def add_run(runs, heads, run, colour, tolerance):
    """A run whose box is set: put it in its colour's chains and join it with what it meets."""
    runs[run, RUN_COLOUR] = colour
    runs[run, PARENT] = run
    runs[run, NEXT] = heads[colour, ALL]
    heads[colour, ALL] = run
    cursor = heads[colour, CURSOR] if heads[colour, BAND] == runs[run, TOP] else -1
    head, cursor = join_live(runs, run, heads[colour, LIVE], cursor, tolerance)
    heads[colour, LIVE] = head
    heads[colour, CURSOR] = cursor
    heads[colour, BAND] = runs[run, TOP]


@inlined
def mark_edges(words, row, edges):
    """A byte that is not 0 for every pixel whose right neighbour has another colour, and the last.

    The first pixel of a word is its lowest byte. Bytes that differ in the lowest bit only are one
    colour.
    """
    last = edges.size - 1
    for k in range(last):
        neighbours = (words[row, k] >> EIGHT) | (words[row, k + 1] << LAST_BYTE)
        edges[k] = (words[row, k] ^ neighbours) & COLOUR_BITS
    neighbours = (words[row, last] >> EIGHT) | (~words[row, last] & (BYTE << LAST_BYTE))
    edges[last] = (words[row, last] ^ neighbours) & COLOUR_BITS


@inlined
def run_end(edges, left):
    """The column after the run that starts at `left`."""
    k = left >> 3
    rest = edges[k] >> np.uint64((left & 7) << 3)
    if rest != ZERO:
        return left + (lowest_bit(rest) >> 3) + 1
    k += 1
    while edges[k] == ZERO:
        k += 1
    return (k << 3) + (lowest_bit(edges[k]) >> 3) + 1


@inlined
def is_same_row(words, row, others, other):
    """Whether two rows have the same pixels, all compared at once."""
    differ = ZERO
    for k in range(words.shape[1]):
        differ |= words[row, k] ^ others[other, k]
    return differ == ZERO


@inlined
def band_end(words, top):
    """The row after the band of identical rows that starts at `top`."""
    below = top + 1
    while below < words.shape[0] and is_same_row(words, top, words, below):
        below += 1
    return below


@kernel
def mark_changes(words, before, heads):
    """Mark the colours of all pixels that differ from the screen before, and keep this one.

    Returns whether there were any.
    """
    any_differs = False
    for row in range(words.shape[0]):
        if is_same_row(words, row, before, row):
            continue
        for k in range(words.shape[1]):
            new, old = words[row, k], before[row, k]
            if new != old:
                any_differs = True
                before[row, k] = new
                for _ in range(8):
                    if (new ^ old) & BYTE != ZERO:
                        heads[(new & BYTE) >> ONE, CHANGED] = True
                        heads[(old & BYTE) >> ONE, CHANGED] = True
                    new >>= EIGHT
                    old >>= EIGHT
    return any_differs


@kernel
def find_runs(screen, words, tolerance, scratch):
    """All runs of the colours that changed, joined to blobs; returns how many runs."""
    runs, heads, starts, edges = scratch.runs, scratch.heads, scratch.starts, scratch.edges
    heads[:, :CHANGED] = -1
    starts[:] = -1
    num_runs, top = 0, 0
    while top < screen.shape[0]:
        below, left = band_end(words, top), 0
        mark_edges(words, top, edges)
        while left < screen.shape[1]:
            right, colour = run_end(edges, left), screen[top, left] >> 1
            if heads[colour, CHANGED]:
                run = starts[left]
                if run < 0 or not goes_on(runs, run, top, right, colour):
                    run = starts[left] = num_runs
                    runs[run, TOP] = top
                    runs[run, LEFT] = left
                    runs[run, RIGHT] = right - 1
                    add_run(runs, heads, run, colour, tolerance)
                    num_runs += 1
                runs[run, BOTTOM] = below - 1
            left = right
        top = below
    return num_runs


@inlined
def goes_on(runs, run, top, right, colour):
    """Whether a run of the band above goes on to a band at `top` that ends before `right`."""
    same_ends = runs[run, BOTTOM] == top - 1 and runs[run, RIGHT] == right - 1
    return same_ends and runs[run, RUN_COLOUR] == colour


@kernel
def gather_boxes(runs, num_runs):
    """The box of every blob, at its root. A parent is always an earlier run."""
    for run in range(num_runs - 1, -1, -1):
        parent = runs[run, PARENT]
        if parent != run:
            runs[parent, TOP] = min(runs[parent, TOP], runs[run, TOP])
            runs[parent, BOTTOM] = max(runs[parent, BOTTOM], runs[run, BOTTOM])
            runs[parent, LEFT] = min(runs[parent, LEFT], runs[run, LEFT])
            runs[parent, RIGHT] = max(runs[parent, RIGHT], runs[run, RIGHT])


@kernel
def mark_tiles(runs, run, tile_height, tile_width, grid):
    """Mark the tiles of the centres of the boxes of all blobs in a chain of runs."""
    while run >= 0:
        if runs[run, PARENT] == run:
            row = (runs[run, TOP] + runs[run, BOTTOM]) // 2 // tile_height
            column = (runs[run, LEFT] + runs[run, RIGHT]) // 2 // tile_width
            grid[row] |= np.int64(1) << column
        run = runs[run, NEXT]


@kernel
def find_blobs(screen, tolerance, tile, scratch, then, places):
    """From a screen to the places of its blobs; returns how many runs were looked at.

    `then` has the places of the screen before, or nothing. The runs, and so the boxes, are those
    of the colours that changed.
    """
    words = screen.view(np.uint64)  # eight pixels a word
    runs, heads, grid = scratch.runs, scratch.heads, scratch.grid
    all_new = then[0, 0] == 0
    heads[:, CHANGED] = all_new
    heads[:, ALL] = -1
    num_runs = 0
    if mark_changes(words, scratch.before, heads) or all_new:
        num_runs = find_runs(screen, words, tolerance, scratch)
        gather_boxes(runs, num_runs)
    places[0, 0] = 0
    kept = 1
    for colour in range(COLOURS):
        if is_at(then, kept, colour - 1):
            kept = then[kept, END]
        if heads[colour, ALL] >= 0:
            mark_tiles(runs, heads[colour, ALL], tile[0], tile[1], grid)
            add_colour(places, colour, grid)
        elif not heads[colour, CHANGED] and is_at(then, kept, colour):
            copy_colour(then, kept, places)
    return num_runs
