"""Small images of screens, in exact fractions."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


def grey_picture(
    screen: Sequence[Sequence[int]], luminance: Sequence[int], shape: tuple[int, int], levels: int
) -> list[list[int]]:
    """⌊levels·mean/256⌋ for each part of the screen, each pixel weighted by its share."""
    height, width = len(screen), len(screen[0])
    rows = [_shares(i, shape[0], height) for i in range(shape[0])]
    columns = [_shares(j, shape[1], width) for j in range(shape[1])]
    area = Fraction(height, shape[0]) * Fraction(width, shape[1])

    def level(i: int, j: int) -> int:
        inside = ((y, x) for y in rows[i] for x in columns[j])
        total = sum(rows[i][y] * columns[j][x] * luminance[screen[y][x]] for y, x in inside)
        return math.floor(levels * total / area / 256)

    return [[level(i, j) for j in range(shape[1])] for i in range(shape[0])]


def _shares(part: int, num_parts: int, num_pixels: int) -> dict[int, Fraction]:
    """The share of each pixel that lies in a part of a row of pixels."""
    start, end = (Fraction(k * num_pixels, num_parts) for k in (part, part + 1))
    inside = {x: min(end, Fraction(x + 1)) - max(start, Fraction(x)) for x in range(num_pixels)}
    return {x: share for x, share in inside.items() if share > 0}


def mean_bins(
    screen: NDArray[np.uint8], colours: NDArray[np.int64], cell: int, bins: int
) -> list[int]:
    """⌊bins·mean/255⌋ of red, green and blue in every cell, in exact fractions."""
    values = []
    for top in range(0, screen.shape[0], cell):
        for left in range(0, screen.shape[1], cell):
            inside = colours[screen[top : top + cell, left : left + cell].ravel()]
            means = [Fraction(sum(channel), len(inside)) for channel in inside.T.tolist()]
            values += [math.floor(bins * mean / 255) for mean in means]
    return values
