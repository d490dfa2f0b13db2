"""Coarse colours of coarse cells, for pictures without a palette."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments

MOST_CHANNELS = 4
CELLS = (12, 12)  # from top to bottom and from left to right


class ColourCells:
    """The mean colour of each cell of a picture, in a few levels a channel: one feature a cell.

    A picture is an array of uint8, of (height, width), (height, width, channels) or, as stacked
    frames have it, (channels, height, width), with at most 4 channels.

    Args:
        observations: a Gymnasium `Box` of such pictures.
        cells: how many from top to bottom and from left to right, at most.
        levels: of each channel; by default 8 with one channel and 4 with more.

    Example:
        >>> features = ColourCells(spaces.Box(0, 255, (64, 96, 3), np.uint8), cells=(2, 3))
        >>> features.active(np.full((64, 96, 3), 255, np.uint8))
        array([ 63, 127, 191, 255, 319, 383])
    """

    def __init__(
        self,
        observations: spaces.Space[Any],
        cells: tuple[int, int] = CELLS,
        levels: int | None = None,
    ) -> None:
        if not isinstance(observations, spaces.Box) or not is_picture(observations):
            raise TypeError(f"observations must be a Box of uint8 pictures, got {observations}")
        self._shape = observations.shape
        self._first = len(self._shape) == 3 and self._shape[2] > MOST_CHANNELS  # channels first
        sides = _sides(self._shape)
        rows, columns = arguments.height_and_width("cells", cells, max(*sides, *CELLS))
        self._starts = [
            np.unique(np.arange(n) * side // n)
            for n, side in zip((rows, columns), sides, strict=True)
        ]
        heights, widths = (
            np.diff(np.append(start, side)) for start, side in zip(self._starts, sides, strict=True)
        )
        self._pixels = np.outer(heights, widths)[:, :, None]
        channels = 1 if len(self._shape) == 2 else self._shape[0 if self._first else 2]
        usual = 8 if channels == 1 else 4
        self.levels = usual if levels is None else arguments.whole("levels", levels, low=2, high=64)
        self._values = self.levels ** np.arange(channels)[::-1]
        self._cells = np.arange(self._pixels.size) * self.levels**channels
        self.size = self._pixels.size * self.levels**channels

    def __repr__(self) -> str:
        rows, columns = self._pixels.shape[:2]
        return f"ColourCells({rows} x {columns} cells, {self.levels} levels a channel)"

    def active(self, observation: Any) -> NDArray[np.int64]:
        """One id for each cell, row by row."""
        picture = np.asarray(observation)
        if picture.shape != self._shape or picture.dtype != np.uint8:
            found = f"{picture.dtype} {picture.shape}"
            raise ValueError(f"observation must be uint8 {self._shape}, got {found}")
        picture = np.moveaxis(picture, 0, 2) if self._first else picture
        picture = picture.reshape(*picture.shape[:2], -1)
        down, across = self._starts
        sums = np.add.reduceat(picture, down, axis=0, dtype=np.int64)
        means = np.add.reduceat(sums, across, axis=1) // self._pixels
        values = (means * self.levels >> 8) @ self._values
        ids: NDArray[np.int64] = self._cells + values.ravel()
        return ids

    def reset(self) -> None:
        """Nothing to forget: the map has no memory."""


def is_picture(box: spaces.Box) -> bool:
    """Whether observations are pictures that this map can look at."""
    shape = box.shape
    if box.dtype != np.uint8 or len(shape) not in (2, 3):
        return False
    few = len(shape) == 2 or min(shape[0], shape[2]) <= MOST_CHANNELS
    return few and min(_sides(shape)) >= 8


def _sides(shape: tuple[int, ...]) -> tuple[int, int]:
    """Height and width."""
    first = len(shape) == 3 and shape[2] > MOST_CHANNELS
    height, width = shape[1:] if first else shape[:2]
    return height, width
