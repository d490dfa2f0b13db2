"""Small grey images of Atari screens, for bonuses that count images instead of features."""

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features.screens import palette_bytes
from phieb.kernels.pictures.grey import grey_levels
from phieb.palette import ntsc


class Grey:
    """A screen's luminance, averaged over equal parts of the screen and quantised.

    The level of a part is ⌊levels·(mean luminance)/256⌋. Luminance is the emulator's own greyscale,
    0.299 R + 0.587 G + 0.114 B of its NTSC colours, rounded. A pixel that lies in several parts
    counts in each by its share.

    Args:
        shape: height and width of the image; 42 × 42 in Bellemare et al. (2016), 52 × 52 in Tang
            et al. (2017).
        levels: the number of grey levels; 8 in Bellemare et al. (2016).

    Example:
        >>> screen = np.zeros((210, 160), np.uint8)
        >>> screen[100:, :80] = 14  # white
        >>> Grey(shape=(2, 2), levels=8).active(screen)
        array([[0, 0],
               [7, 0]], dtype=uint8)
    """

    def __init__(self, shape: tuple[int, int] = (42, 42), levels: int = 256) -> None:
        self.shape = arguments.height_and_width("shape", shape, 1_000)
        self.levels = arguments.whole("levels", levels, low=2, high=256)
        shades = np.rint(ntsc() @ np.array([0.299, 0.587, 0.114])).astype(np.int32)
        self._luminance = shades.repeat(2)  # by palette byte, whose lowest bit is unused

    @property
    def size(self) -> int:
        """The number of pixels of the image."""
        return self.shape[0] * self.shape[1]

    def active(self, screen: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The image, not ids: a new array of this map's shape, with levels from 0.

        Args:
            screen: palette bytes from the emulator, at least as large as the image.
        """
        screen = palette_bytes(screen)
        if screen.ndim != 2 or not np.all(np.array(screen.shape) >= self.shape):
            raise ValueError(f"screen must have at least shape {self.shape}, got {screen.shape}")
        picture = np.empty(self.shape, np.uint8)
        grey_levels(screen, self._luminance, self.levels, picture)
        return picture

    def reset(self) -> None:
        """Do nothing: the map has no memory."""
