"""The predecessors of Blob-PROST (Liang et al. 2016): Basic, B-PROS and B-PROST features.

Instead of blobs they use the colours that are present in a tile, after background subtraction.
"""

import numpy as np
from numpy.typing import NDArray

from phieb.features.protocol import FEATURES
from phieb.features.screens import ScreenFeatures
from phieb.kernels.blob_prost.places import COLOURS
from phieb.kernels.blob_prost.screens import ColourSettings, colour_ids

TILE = (15, 10)


@FEATURES.declare("basic", label="Basic", citation="Liang et al. 2016")
class Basic(ScreenFeatures):
    """A colour of a tile that differs from the background: 28,672 features, plus the bias.

    Args:
        background: the screen to subtract; `phieb.worlds.background(game)` computes a game's.
    """

    space = time = False  # whether there are pairs

    def __init__(self, background: NDArray[np.uint8]) -> None:
        if np.ndim(background) != 2:
            raise ValueError(f"background must be a screen, got {background!r}")
        super().__init__(TILE, np.shape(background), self.space, self.time)
        self.background = self._checked(background)
        marks = np.zeros((COLOURS, self._num_rows), np.int64)
        self._prepare(colour_ids, ColourSettings(self.background, self.tile, marks))


@FEATURES.declare("b-pros", label="B-PROS", citation="Liang et al. 2016")
class BPros(Basic):
    """`Basic` features and their pairs in space: 6,885,440 features, plus the bias."""

    space = True


@FEATURES.declare("b-prost", label="B-PROST", citation="Liang et al. 2016")
class BProst(BPros):
    """`Basic` features and their pairs in space and time: 20,598,848 features, plus the bias."""

    time = True
