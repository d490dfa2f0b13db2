"""Blob-PROST features (Liang, Machado, Talvitie & Bowling 2016): the paper's φ for Atari."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features.protocol import FEATURES
from phieb.features.screens import SCREEN, ScreenFeatures
from phieb.kernels.blob_prost.blobs import (
    BOTTOM,
    BOX,
    COLOUR,
    LEFT,
    PARENT,
    RIGHT,
    TOP,
    find_blobs,
    new_scratch,
)
from phieb.kernels.blob_prost.places import new_places
from phieb.kernels.blob_prost.screens import BlobSettings, blob_ids
from phieb.palette import ntsc

PRESETS: dict[str, tuple[tuple[int, int], int]] = {
    "martin2017": ((15, 10), 3),  # the program of the authors of φ-EB
    "liang2016": ((7, 4), 6),  # the Blob-PROST paper
}


class BlobProst(ScreenFeatures):
    """Blobs in tiles, and the offsets of pairs of blobs in space and in time.

    A blob is a connected component of pixels of one colour; two pixels are connected if they are at
    most `tolerance` rows and columns apart. Its tile is that of the centre of its bounding box.

    Args:
        tile: height and width of a tile, in pixels.
        tolerance: how far apart connected pixels may be, in pixels.
        shape: height and width of a screen.

    Example:
        >>> features = BlobProst.preset("liang2016")
        >>> f"{features.size:,}"  # the published number, plus the bias
        '114,702,401'
        >>> screen = np.zeros((210, 160), np.uint8)
        >>> print("; ".join(map(features.describe, features.active(screen)[1:])))
        blob of colour 0 in the same tile as one of colour 0; bias, always on
    """

    noun = "blob"

    def __init__(
        self,
        tile: tuple[int, int] = (15, 10),
        tolerance: int = 3,
        shape: tuple[int, ...] = SCREEN,
    ) -> None:
        super().__init__(tile, shape, space=True, time=True)
        self.tolerance = arguments.whole("tolerance", tolerance, low=1, high=max(self.shape))
        scratch = new_scratch(*self.shape, self._num_rows)
        self._prepare(blob_ids, BlobSettings(self.tolerance, self.tile, scratch))

    def __repr__(self) -> str:
        return f"BlobProst(tiles of {self.tile[0]} x {self.tile[1]}, tolerance {self.tolerance})"

    @classmethod
    def preset(cls, name: Literal["martin2017", "liang2016"]) -> "BlobProst":
        """Blob-PROST with the settings of a paper."""
        tile, tolerance = PRESETS[arguments.one_of("name", name, tuple(PRESETS))]
        return cls(tile, tolerance)

    def blobs(self, screen: NDArray[np.uint8]) -> NDArray[np.int32]:
        """(n, 5): colour, top, bottom, left and right, all inclusive, of each blob of a screen."""
        screen = self._checked(screen)
        scratch = new_scratch(*self.shape, self._num_rows)
        places = new_places(self._num_rows)
        num_boxes = find_blobs(screen, self.tolerance, self.tile, scratch, places)
        boxes = scratch.boxes.reshape(-1, BOX)[:num_boxes].astype(np.int32)
        roots = boxes[boxes[:, PARENT] == BOX * np.arange(num_boxes)]
        return np.ascontiguousarray(roots[:, [COLOUR, TOP, BOTTOM, LEFT, RIGHT]])

    def draw(self, screen: NDArray[np.uint8], scale: int = 4) -> NDArray[np.uint8]:
        """An RGB picture of the screen: tiles in grey, boxes of blobs in white, centres in red."""
        scale = arguments.whole("scale", scale, low=3, high=16)
        colours = ntsc()[self._checked(screen) >> 1]
        image: NDArray[np.uint8] = colours.repeat(scale, 0).repeat(scale, 1)
        grey, white, red = np.array([[90, 90, 90], [255, 255, 255], [255, 40, 40]], np.uint8)
        image[:: self.tile[0] * scale] = grey
        image[:, :: self.tile[1] * scale] = grey
        for _, top, bottom, left, right in self.blobs(screen) * scale:
            bottom, right = bottom + scale - 1, right + scale - 1
            image[[top, bottom], left : right + 1] = white
            image[top : bottom + 1, [left, right]] = white
        for _, top, bottom, left, right in self.blobs(screen):
            y, x = (top + bottom) // 2 * scale, (left + right) // 2 * scale
            image[y : y + scale, x : x + scale] = red
        return image


@FEATURES.declare("martin2017", label="Blob-PROST (15 x 10)", citation="Martin et al. 2017")
def martin2017(shape: tuple[int, int]) -> BlobProst:
    """Blob-PROST as the authors of φ-EB ran it: tiles of 15 x 10, tolerance 3."""
    return BlobProst(*PRESETS["martin2017"], shape)


@FEATURES.declare("liang2016", label="Blob-PROST (7 x 4)", citation="Liang et al. 2016")
def liang2016(shape: tuple[int, int]) -> BlobProst:
    """Blob-PROST as in Liang et al. (2016): tiles of 7 x 4, tolerance 6."""
    return BlobProst(*PRESETS["liang2016"], shape)
