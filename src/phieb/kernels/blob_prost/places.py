"""The tiles that each colour is in: the common form of blobs and of plain colours in tiles.

`places` is a table (row, 5). Its first row is a header: the number of rows that follow, and of how
many colours. A row is a colour, a row of tiles and the columns of tiles as bits, sorted by colour
and then from top to bottom. The first row of a colour also has the index of the next colour's first
row (END) and, if the colour was in the same tiles on the previous screen, its number there (WAS).
"""

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined, inner

COLOURS = 128
MAX_COLUMNS = 63  # bits of an int64 without its sign
COLOUR, ROW, COLUMNS, END, WAS = range(5)  # columns of the table
# The first row after the header. Numba would compile functions once more for the literal 1.
FIRST = np.int64(1)


def new_places(num_rows: int) -> NDArray[np.int64]:
    """An empty table, with capacity for every colour in every row of tiles."""
    return np.zeros((1 + COLOURS * num_rows, 5), np.int64)


@inlined
def add_colour(places, colour, grid):
    """Append a colour; `grid` is (row of tiles,), its columns as bits, and is cleared."""
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


@inner
def compare_places(then, now):
    """Set WAS: for each colour of `now` its number in `then` if in the same tiles, else −1."""
    i, j, rank, count = FIRST, FIRST, 0, 0
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
    """Whether the colour at row i of `then` is in the same tiles as the one at row j of `now`."""
    count = then[i, END] - i
    if now[j, END] - j != count:
        return False
    for k in range(count):
        if then[i + k, ROW] != now[j + k, ROW] or then[i + k, COLUMNS] != now[j + k, COLUMNS]:
            return False
    return True


@inner
def place_colours(screen, background, tile, marks, places):
    """Fill `places` with the tiles that have a pixel of a colour other than the background's.

    `screen` and `background` are (height, width) palette bytes, `tile` is a tile's height and
    width. `marks` is scratch (colour, row of tiles): columns as bits, all 0 between calls.
    """
    for y in range(screen.shape[0]):
        for x in range(screen.shape[1]):
            if screen[y, x] >> 1 != background[y, x] >> 1:
                marks[screen[y, x] >> 1, y // tile[0]] |= np.int64(1) << (x // tile[1])
    places[0, 0] = 0
    for colour in range(COLOURS):
        add_colour(places, colour, marks[colour])
