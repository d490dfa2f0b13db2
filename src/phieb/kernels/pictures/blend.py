"""The average of two frames."""

import numpy as np

from phieb.kernels.blob_prost.places import COLOURS
from phieb.kernels.numba_support.bits import BYTE, COLOUR_BITS, EIGHT, ONE
from phieb.kernels.numba_support.jit import kernel


@kernel
def blend_frames(before, frame, table, out):
    """Blend two frames, eight pixels a word; `table` has the blend of any two colours.

    Few pixels differ between them, and one colour with itself is itself.
    """
    then, now, mixed = before.view(np.uint64), frame.view(np.uint64), out.view(np.uint64)
    for row in range(now.shape[0]):
        for k in range(now.shape[1]):
            mixed[row, k] = now[row, k] & COLOUR_BITS
            one, two = then[row, k], now[row, k]
            if one == two:
                continue
            for j in range(8):
                first, second = np.int64((one & BYTE) >> ONE), np.int64((two & BYTE) >> ONE)
                out[row, 8 * k + j] = table[first * COLOURS + second]
                one >>= EIGHT
                two >>= EIGHT
