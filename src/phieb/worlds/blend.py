"""Blending two frames as the emulator's `color_averaging` does, for the frames that are looked at.

The emulator's own flag blends every frame, also the skipped ones, and halves its speed.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.pictures.blend import blend_frames
from phieb.palette import ntsc


@cache
def blend_table() -> NDArray[np.uint8]:
    """(128·128,): the palette byte of two colours blended, by colour·128 + colour.

    For each channel lo + (hi − lo)·77 // 100, the low two bits dropped; then the colour nearest by
    the sum of absolute differences, the first if several.
    """
    palette = ntsc().astype(np.int64)
    low = np.minimum(palette[:, None], palette[None])
    high = np.maximum(palette[:, None], palette[None])
    mixed = low + (high - low) * 77 // 100 & ~3
    distance = np.abs(mixed[:, :, None] - palette).sum(axis=3)
    nearest: NDArray[np.uint8] = (2 * distance.argmin(axis=2)).astype(np.uint8).ravel()
    return nearest


def blend(before: NDArray[np.uint8], frame: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Blend two frames of a screen."""
    blend_frames(before, frame, blend_table(), out)
