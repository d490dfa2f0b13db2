"""Mean colours of the cells of a screen."""

from phieb.kernels.numba_support.jit import kernel


@kernel
def cell_bins(screen, colours, cell, num_bins, out):
    """Write ⌊B·Σ intensity/(255·pixels)⌋ to `out` (row, column, channel); edge cells may be cut.

    `screen` is (height, width) palette bytes, `colours` is (256, 3), `cell` a side in pixels.
    """
    height, width = screen.shape
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            bottom, right = min((i + 1) * cell, height), min((j + 1) * cell, width)
            red = green = blue = 0
            for y in range(i * cell, bottom):
                for x in range(j * cell, right):
                    red += colours[screen[y, x], 0]
                    green += colours[screen[y, x], 1]
                    blue += colours[screen[y, x], 2]
            whole = 255 * (bottom - i * cell) * (right - j * cell)
            out[i, j, 0] = num_bins * red // whole
            out[i, j, 1] = num_bins * green // whole
            out[i, j, 2] = num_bins * blue // whole
