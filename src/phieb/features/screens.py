"""What all maps from Atari screens to features share."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.features.numbering import Numbering
from phieb.kernels.blob_prost.pairs import new_starts
from phieb.kernels.blob_prost.places import MAX_COLUMNS, new_places
from phieb.kernels.blob_prost.screens import ids_of_places
from phieb.kernels.numba_support.held import Held, hold

SCREEN = (210, 160)  # rows and columns of most games' screens
_ROOM = 16_384  # ids; Freeway has 12,000


class ScreenFeatures:
    """Colours in tiles, pairs of them in space and in time, and a bias that is always on.

    Args:
        tile: height and width of a tile, in pixels.
        shape: height and width of a screen.
        space: whether there are pairs in space.
        time: whether there are pairs in time.

    Attributes:
        room: the most ids that the kernel writes for a screen; more are lost, and counted.
    """

    noun = "pixels"  # what is in a tile, in words

    def __init__(
        self, tile: tuple[int, ...], shape: tuple[int, ...], space: bool, time: bool
    ) -> None:
        self.shape = arguments.height_and_width("shape", shape, 1_000)
        self.tile = arguments.height_and_width("tile", tile, max(self.shape))
        if self.shape[1] % 8:
            raise ValueError(f"shape must have a width that 8 divides, got {self.shape}")
        num_rows, num_columns = (-(-self.shape[d] // self.tile[d]) for d in range(2))
        if num_columns > MAX_COLUMNS:
            raise ValueError(f"tile must leave at most {MAX_COLUMNS} columns, got {num_columns}")
        self._numbering = Numbering(num_rows, num_columns, space, time)
        self._num_rows = num_rows
        # Of this screen and of the one before, in turns.
        self._places = [new_places(num_rows) for _ in range(2)]
        self._ids = [np.zeros(_ROOM, np.int64) for _ in range(2)]
        self._turn = 0
        self._starts = [new_starts() for _ in range(2)]
        offsets = np.zeros((2 * num_rows - 1, 2), np.uint64)
        self._shared = tuple(self._numbering.layout), offsets
        self._known: NDArray[np.uint8] | None = None  # a screen that was found to be one

    @property
    def size(self) -> int:
        """How many features are possible, the bias included."""
        return self._numbering.size

    def active(self, screen: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Ids of the features that are on, each once, in ascending order.

        Nothing is allocated: the array returned can only be read, and is written over by the call
        after the next. Copy it to keep it. Pairs in time are with the screen of the call before,
        none after `reset`.

        Args:
            screen: palette bytes as the emulator gives them, of the shape of this map.
        """
        if screen is not self._known:
            checked = self._checked(screen)
            self._known, screen = screen if checked is screen else None, checked
        count = self._kernel(screen, self.next_turn())
        if count > self._ids[self._turn].size:
            self.write_again(count)
        return self._readable[self._turn][:count]

    def next_turn(self) -> Held:
        """What the kernel needs for the next screen, for who calls it without `active`."""
        self._turn = 1 - self._turn
        return self._memories[self._turn]

    def write_again(self, count: int) -> NDArray[np.int64]:
        """The ids of the last screen, when they did not fit: their places are right."""
        self._ids[self._turn] = np.zeros(2 * count, np.int64)
        self._prepare(self._kernel, *self._settings)
        ids = self._ids[self._turn]
        _, memory = self._memories[self._turn].owner
        ids_of_places(*memory[:-2], np.empty(0, np.int64), ids)
        return ids[:count]

    def reset(self) -> None:
        """An episode starts: the next screen has no pairs in time."""
        self._places[self._turn][0, 0] = 0

    def _prepare(self, kernel: Callable[..., int], *settings: Any) -> None:
        """What the kernel works on, for either turn, and what callers may read.

        The kernel takes a screen, and holds its settings and what `ids_of_places` takes.
        """
        self._kernel, self._settings = kernel, settings
        turns = self._places, self._starts, self._ids
        self._memories = []
        for then, now in ((1, 0), (0, 1)):
            places, starts, ids = ((each[then], each[now]) for each in turns)
            self._memories.append(hold((settings, (*places, *self._shared, *starts, *ids))))
        self.room = max(ids.size for ids in self._ids)
        self._readable = [ids.view() for ids in self._ids]
        for readable in self._readable:
            readable.flags.writeable = False  # the next call reads it again

    def __getstate__(self) -> dict[str, Any]:
        """All but what is made from the rest."""
        made = ("_memories", "_readable")
        return {name: part for name, part in self.__dict__.items() if name not in made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A copy, or what was unpickled: its views are to be of its own arrays."""
        self.__dict__.update(state)
        self._prepare(self._kernel, *self._settings)

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
        return palette_bytes(screen, self.shape)


def palette_bytes(screen: Any, shape: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """Palette bytes as the emulator gives them, of this shape if one is given, in one piece."""
    if not isinstance(screen, np.ndarray) or screen.dtype != np.uint8:
        kind = screen.dtype if isinstance(screen, np.ndarray) else type(screen).__name__
        raise ValueError(f"screen must be an array of uint8 palette bytes, got {kind}")
    if shape is not None and screen.shape != shape:
        raise ValueError(f"screen must have shape {shape}, got {screen.shape}")
    return np.ascontiguousarray(screen)
