"""BASS features of Atari screens (Bellemare et al. 2013) as Tang et al. (2017) hash them."""

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features.screens import SCREEN, palette_bytes
from phieb.kernels.pictures.bass import cell_bins
from phieb.palette import ntsc


class Bass:
    """⌊B/(255 C²) · Σ intensity⌋ for each cell of C × C pixels and each colour channel.

    As in Tang et al. (2017), §2.3. If C does not divide the size of the screen, cells at the edge
    are smaller, and their number of pixels replaces C², as in the authors' program.

    Args:
        cell: C, the side of a cell in pixels.
        bins: B, the number of values.
        shape: height and width of a screen.

    Example:
        >>> bass = Bass()
        >>> bass.size  # 11 rows of 8 cells, red, green and blue
        264
        >>> bass.active(np.full((210, 160), 14, np.uint8))[:3]  # white
        array([18, 18, 18], dtype=uint8)
    """

    def __init__(self, cell: int = 20, bins: int = 20, shape: tuple[int, int] = SCREEN) -> None:
        self.shape = arguments.height_and_width("shape", shape, 1_000)
        self.cell = arguments.whole("cell", cell, low=1, high=max(self.shape))
        self.bins = arguments.whole("bins", bins, low=2, high=256)
        self._cells = -(-self.shape[0] // self.cell), -(-self.shape[1] // self.cell), 3
        # By palette byte, whose lowest bit is unused.
        self._colours = ntsc().astype(np.int64).repeat(2, axis=0)

    @property
    def size(self) -> int:
        """The length of the vector: cells times channels."""
        return self._cells[0] * self._cells[1] * self._cells[2]

    def active(self, screen: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The values, not ids: a new vector with red, green and blue of each cell.

        Args:
            screen: palette bytes from the emulator, of the shape of this map.
        """
        values = np.empty(self._cells, np.uint8)
        cell_bins(palette_bytes(screen, self.shape), self._colours, self.cell, self.bins, values)
        return values.reshape(-1)

    def reset(self) -> None:
        """Do nothing: the map has no memory."""
