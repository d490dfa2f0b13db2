"""A screen averaged down to a small grey picture."""

import numpy as np

from phieb.kernels.numba_support.jit import inlined, kernel


@inlined
def add_row(pixels, luminance, weight, sums):
    """Add weight · luminance of a row of pixels (width,) to the column sums (width,)."""
    weight = np.int32(weight)
    for x in range(pixels.size):
        sums[x] += weight * luminance[pixels[x]]


@inlined
def write_row(sums, num_levels, whole, out):
    """Write a row of the picture from column sums; `whole` is the sum of the brightest part."""
    narrow, wide = out.size, sums.size
    to_come, total, j = wide, 0, 0
    for x in range(wide):
        if to_come > narrow:
            total += narrow * sums[x]
            to_come -= narrow
        else:
            total += to_come * sums[x]
            # Both numbers are exact in double; the quotient is never rounded up to an integer.
            out[j] = total * num_levels / whole
            total = (narrow - to_come) * sums[x]
            to_come += wide - narrow
            j += 1


@kernel
def grey_levels(screen, luminance, num_levels, out):
    """Write the mean luminance of each part of the screen to `out`, as a level < `num_levels`.

    The screen is divided into `out.shape` equal parts, none smaller than a pixel. In units of
    1/(screen rows · out rows) of its height, a row of pixels is (out rows) high and a row of parts
    (screen rows) high, so that all sums are integers. A row of pixels lies in one or two rows of
    parts. The same holds for columns.
    """
    height, narrow = screen.shape[0], out.shape[0]
    sums = np.zeros(screen.shape[1], np.int32)  # one per column of pixels
    num_levels, whole = float(num_levels), 256.0 * screen.size
    to_come, i = height, 0  # height of the row of parts i still to be summed
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
