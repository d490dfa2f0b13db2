"""What all maps from Atari screens to features share."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.features.numbering import Numbering
from phieb.kernels.pairs import new_segments
from phieb.kernels.places import MAX_COLUMNS, new_places
from phieb.kernels.screens import ids_of_places

SCREEN = (210, 160)  # rows and columns of most games' screens


class ScreenFeatures(ABC):
    """Colours in tiles, pairs of them in space and in time, and a bias that is always on.

    Args:
        tile: height and width of a tile, in pixels.
        shape: height and width of a screen.
        space: whether there are pairs in space.
        time: whether there are pairs in time.
    """

    noun = "pixels"  # what is in a tile, in words

    def __init__(
        self, tile: tuple[int, ...], shape: tuple[int, ...], space: bool, time: bool
    ) -> None:
        self.shape = _size("shape", shape, 1_000)
        self.tile = _size("tile", tile, max(self.shape))
        if self.shape[1] % 8:
            raise ValueError(f"shape must have a width that 8 divides, got {self.shape}")
        num_rows, num_columns = (-(-self.shape[d] // self.tile[d]) for d in range(2))
        if num_columns > MAX_COLUMNS:
            raise ValueError(f"tile must leave at most {MAX_COLUMNS} columns, got {num_columns}")
        self._numbering = Numbering(num_rows, num_columns, space, time)
        self._layout = tuple(self._numbering.layout)
        self._num_rows = num_rows
        self._now, self._then = (new_places(num_rows) for _ in range(2))
        self._offsets = np.zeros((2 * num_rows - 1, 2), np.uint64)
        self._segments = new_segments()
        self._ids, self._ids_before = (np.zeros(4_096, np.int64) for _ in range(2))

    @property
    def size(self) -> int:
        """How many features are possible, the bias included."""
        return self._numbering.size

    @abstractmethod
    def _write(self, screen: NDArray[np.uint8], *memory: Any) -> int:
        """Find the places on a screen and write their ids; `memory` is for `ids_of_places`."""

    def active(self, screen: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Ids of the features that are on, each once.

        Nothing is allocated: the array returned can only be read, and is written over by the call
        after the next. Copy it to keep it. Pairs in time are with the screen of the call before,
        none after `reset`.

        Args:
            screen: palette bytes as the emulator gives them, of the shape of this map.
        """
        screen = self._checked(screen)
        self._now, self._then = self._then, self._now
        self._ids, self._ids_before = self._ids_before, self._ids
        memory = (self._then, self._now, self._layout, self._offsets, self._segments)
        count = self._write(screen, *memory, self._ids_before, self._ids)
        if count > self._ids.size:  # the places are right, only the ids did not fit
            self._ids = np.zeros(2 * count, np.int64)
            ids_of_places(*memory, np.empty(0, np.int64), self._ids)
        active = self._ids[:count]
        active.flags.writeable = False  # the next call reads it again
        return active

    def reset(self) -> None:
        """An episode starts: the next screen has no pairs in time."""
        self._now[0, 0] = 0

    def decode(self, ids: ArrayLike) -> NDArray[np.int16]:
        """One row (kind, c1, c2, a, b) for each id.

        Kind 0 is a colour c1 (c2 = −1) in tile row a, column b. Kinds 1 and 2 are pairs in space
        and in time of colours c1 and c2, at the offset tile(c1) − tile(c2) of a rows and b columns;
        in time c1 is the colour then. Kind 3 is the bias, with −1, −1, 0, 0.
        """
        return self._numbering.decode(ids)

    def encode(self, rows: ArrayLike) -> NDArray[np.int64]:
        """The ids of such rows."""
        return self._numbering.encode(rows)

    def describe(self, feature: int) -> str:
        """A feature in words."""
        return self._numbering.describe(feature, self.noun)

    def _checked(self, screen: Any) -> NDArray[np.uint8]:
        if not isinstance(screen, np.ndarray) or screen.dtype != np.uint8:
            kind = screen.dtype if isinstance(screen, np.ndarray) else type(screen).__name__
            raise ValueError(f"screen must be an array of uint8 palette bytes, got {kind}")
        if screen.shape != self.shape:
            raise ValueError(f"screen must have shape {self.shape}, got {screen.shape}")
        return np.ascontiguousarray(screen)


def _size(name: str, size: object, most: int) -> tuple[int, int]:
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise ValueError(f"{name} must be (height, width), got {size!r}")
    height, width = (arguments.whole(name, n, low=1, high=most) for n in size)
    return height, width
