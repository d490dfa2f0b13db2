"""Where each colour is on a screen, in tiles: what blobs and plain tiles both come down to.

`places` is a table of rows (colour, row of tiles, columns of tiles as bits), colour by colour and
from top to bottom; places[0, 0] says how many follow, places[0, 1] of how many colours. The first
row of each colour says where the next colour starts, and which number it had at the decision before
if it was in the same tiles.
"""

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined, kernel

COLOURS = 128
MAX_COLUMNS = 63  # as many bits as a whole number has, without its sign
COLOUR, ROW, COLUMNS, END, WAS = range(5)  # columns of the table


def new_places(num_rows: int) -> NDArray[np.int64]:
    """Nothing anywhere yet, and room for every colour in every row of tiles."""
    return np.zeros((1 + COLOURS * num_rows, 5), np.int64)


@inlined
def add_colour(places, colour, grid):
    """Append a colour; `grid` has its columns for each row of tiles, and is cleared."""
    first = n = places[0, 0] + 1
    for row in range(grid.size):
        if grid[row] != 0:
            places[n, COLOUR] = colour
            places[n, ROW] = row
            places[n, COLUMNS] = grid[row]
            grid[row] = 0
            n += 1
    places[first, END] = n
    places[0, 0] = n - 1


@kernel
def compare_places(then, now):
    """Say of each colour of `now` which of `then` it was, counted from 0, if in the same tiles."""
    i, j, rank, count = 1, 1, 0, 0
    while j <= now[0, 0]:
        while i <= then[0, 0] and then[i, COLOUR] < now[j, COLOUR]:
            i = then[i, END]
            rank += 1
        is_there = i <= then[0, 0] and then[i, COLOUR] == now[j, COLOUR]
        now[j, WAS] = rank if is_there and equal_colours(then, i, now, j) else -1
        count += 1
        j = now[j, END]
    now[0, 1] = count


@inlined
def equal_colours(then, i, now, j):
    """Whether the colour at i of one table is in the tiles of that at j of the other."""
    count = then[i, END] - i
    if now[j, END] - j != count:
        return False
    for k in range(count):
        if then[i + k, ROW] != now[j + k, ROW] or then[i + k, COLUMNS] != now[j + k, COLUMNS]:
            return False
    return True


@kernel
def place_colours(screen, background, tile_height, tile_width, marks, places):
    """Where each colour is that differs from the background: every tile that has a pixel of it.

    `marks` is (colour, row of tiles), columns as bits, all 0 before and after.
    """
    for y in range(screen.shape[0]):
        for x in range(screen.shape[1]):
            if screen[y, x] >> 1 != background[y, x] >> 1:
                marks[screen[y, x] >> 1, y // tile_height] |= np.int64(1) << (x // tile_width)
    places[0, 0] = 0
    for colour in range(COLOURS):
        add_colour(places, colour, marks[colour])
