"""The average of two frames."""

import numpy as np

from phieb.kernels.blob_prost.places import COLOURS
from phieb.kernels.numba_support.bits import BYTE, COLOUR_BITS, EIGHT, ONE
from phieb.kernels.numba_support.jit import kernel


@kernel
def blend_frames(before, frame, table, out):
    """Write the blend of two frames to `out`, comparing eight pixels at a time.

    Frames are (height, width) palette bytes; `table` (128·128,) is the blend of any two colours.
    Few pixels differ, and equal colours blend to themselves.
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
