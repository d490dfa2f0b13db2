"""A screen averaged down to a small grey picture."""

import numpy as np

from phieb.kernels.numba_support.jit import inlined, kernel


@inlined
def add_row(pixels, luminance, weight, sums):
    """Add the luminance of a row of pixels, so many times, to the sums down the columns."""
    weight = np.int32(weight)
    for x in range(pixels.size):
        sums[x] += weight * luminance[pixels[x]]


@inlined
def write_row(sums, num_levels, whole, out):
    """A row of the picture: levels from sums down the columns of pixels, `whole` the brightest."""
    narrow, wide = out.size, sums.size
    to_come, total, j = wide, 0, 0
    for x in range(wide):
        if to_come > narrow:
            total += narrow * sums[x]
            to_come -= narrow
        else:
            total += to_come * sums[x]
            # Doubles hold both numbers exactly, and never round a quotient up to a whole number.
            out[j] = total * num_levels / whole
            total = (narrow - to_come) * sums[x]
            to_come += wide - narrow
            j += 1


@kernel
def grey_levels(screen, luminance, num_levels, out):
    """The mean luminance of each part of the screen, as a level from 0 to `num_levels` − 1.

    The screen is cut into as many equal parts as `out` has places, none smaller than a pixel. Let
    it be as high as its rows times out's rows: then a row of pixels is as high as out has rows, a
    row of parts as the screen has rows, and all is in whole numbers. A row of pixels lies in one
    row of parts or in two. The same across.
    """
    height, narrow = screen.shape[0], out.shape[0]
    sums = np.zeros(screen.shape[1], np.int32)  # down each column of pixels
    num_levels, whole = float(num_levels), 256.0 * screen.size
    to_come, i = height, 0  # of the row of parts i
    for y in range(height):
        if to_come > narrow:
            add_row(screen[y], luminance, narrow, sums)
            to_come -= narrow
        else:
            add_row(screen[y], luminance, to_come, sums)
            write_row(sums, num_levels, whole, out[i])
            sums[:] = 0
            if to_come < narrow:
                add_row(screen[y], luminance, narrow - to_come, sums)
            to_come += height - narrow
            i += 1
