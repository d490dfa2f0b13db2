"""Blending two frames as the emulator's `color_averaging` does, only for frames that are observed.

The emulator's own flag also blends the skipped frames, which halves its speed.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.pictures.blend import blend_frames
from phieb.palette import ntsc


@cache
def blend_table() -> NDArray[np.uint8]:
    """(128·128,): the palette byte of the blend of two colours, at colour·128 + colour.

    Each channel is lo + (hi − lo)·77 // 100 without its two lowest bits; the result is the nearest
    colour in the sum of absolute differences, the first if several.
    """
    palette = ntsc().astype(np.int64)
    low = np.minimum(palette[:, None], palette[None])
    high = np.maximum(palette[:, None], palette[None])
    mixed = low + (high - low) * 77 // 100 & ~3
    distance = np.abs(mixed[:, :, None] - palette).sum(axis=3)
    nearest: NDArray[np.uint8] = (2 * distance.argmin(axis=2)).astype(np.uint8).ravel()
    return nearest


def blend(before: NDArray[np.uint8], frame: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Write the blend of two frames to `out`."""
    blend_frames(before, frame, blend_table(), out)
