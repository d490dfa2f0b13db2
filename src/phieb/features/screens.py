"""The base class of feature maps of Atari screens."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.features.numbering import Numbering
from phieb.kernels.blob_prost.pairs import IdTables, new_starts, write_ids
from phieb.kernels.blob_prost.places import MAX_COLUMNS, new_places
from phieb.kernels.blob_prost.screens import BlobSettings, ColourSettings, Screens
from phieb.kernels.numba_support.held import Held, hold

SCREEN = (210, 160)  # rows and columns of most games' screens
_CAPACITY = 16_384  # ids in a buffer at first; Freeway needs 12,000


class ScreenFeatures:
    """Colours in tiles, pairs of them in space and in time, and a bias that is always on.

    Args:
        tile: height and width of a tile, in pixels.
        shape: height and width of a screen.
        space: whether to include pairs of colours on one screen.
        time: whether to include pairs of a colour on the previous screen and one on this.

    Attributes:
        capacity: ids that the larger buffer holds; the kernel counts the others but drops them.
    """

    noun = "pixels"  # what `describe` calls the things in a tile

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
        # Two of each, which take turns: for this screen and for the previous one.
        self._places = [new_places(num_rows) for _ in range(2)]
        self._ids = [np.zeros(_CAPACITY, np.int64) for _ in range(2)]
        self._turn = 0
        self._starts = [new_starts() for _ in range(2)]
        self._offsets = np.zeros((2 * num_rows - 1, 2), np.uint64)
        self._checked_screen: NDArray[np.uint8] | None = None  # not checked again

    @property
    def size(self) -> int:
        """M, the number of possible features, including the bias."""
        return self._numbering.size

    def active(self, screen: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Ids of the features that are on, each once, in ascending order.

        The array returned is a read-only view of a buffer that the call after the next overwrites:
        copy it to keep it. Pairs in time are with the screen of the previous call; after `reset`
        there are none.

        Args:
            screen: palette bytes from the emulator, of the shape of this map.
        """
        if screen is not self._checked_screen:
            checked = self._checked(screen)
            self._checked_screen, screen = screen if checked is screen else None, checked
        count = self._kernel(screen, self.next_turn(), None)
        if count > self._ids[self._turn].size:
            self.rewrite_ids(count)
        return self._readable[self._turn][:count]

    def next_turn(self) -> Held:
        """The held `Screens` for the next screen, for callers of the kernel itself."""
        self._turn = 1 - self._turn
        return self._held[self._turn]

    def rewrite_ids(self, count: int) -> NDArray[np.int64]:
        """All `count` ids of the last screen, which did not fit, in a larger buffer."""
        self._ids[self._turn] = np.zeros(2 * count, np.int64)
        self._prepare(self._kernel, self._settings)
        tables = self._held[self._turn].owner.tables
        write_ids(tables._replace(ids_then=np.empty(0, np.int64)))  # the places are known
        return self._ids[self._turn][:count]

    def reset(self) -> None:
        """Start an episode: the next screen has no pairs in time."""
        self._places[self._turn][0, 0] = 0

    def _prepare(self, kernel: Callable[..., int], settings: BlobSettings | ColourSettings) -> None:
        """Make what depends on the buffers: the tables of either turn, and the views returned."""
        self._kernel, self._settings = kernel, settings
        self._held = [hold(Screens(settings, self._tables(1 - turn, turn))) for turn in range(2)]
        self.capacity = max(ids.size for ids in self._ids)
        self._readable = [ids.view() for ids in self._ids]
        for readable in self._readable:
            readable.flags.writeable = False  # the next call copies ids from it

    def _tables(self, then: int, now: int) -> IdTables:
        return IdTables(
            then=self._places[then],
            now=self._places[now],
            layout=self._numbering.layout,
            offsets=self._offsets,
            starts_then=self._starts[then],
            starts=self._starts[now],
            ids_then=self._ids[then],
            ids=self._ids[now],
        )

    def __getstate__(self) -> dict[str, Any]:
        """All attributes except those that `_prepare` makes from the others."""
        made = ("_held", "_readable")
        return {name: part for name, part in self.__dict__.items() if name not in made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Views of a copy, or of an unpickled map, are of its own arrays."""
        self.__dict__.update(state)
        self._prepare(self._kernel, self._settings)

    def decode(self, ids: ArrayLike) -> NDArray[np.int16]:
        """One row (kind, c1, c2, a, b) for each id.

        Kind 0 is a colour c1 (c2 = −1) in tile row a, column b. Kinds 1 and 2 are pairs of colours
        c1 and c2 in space and in time, at the offset tile(c1) − tile(c2) of a rows and b columns;
        in time, c1 is the colour on the previous screen. Kind 3 is the bias, (3, −1, −1, 0, 0).
        """
        return self._numbering.decode(ids)

    def encode(self, rows: ArrayLike) -> NDArray[np.int64]:
        """The ids of decoded rows."""
        return self._numbering.encode(rows)

    def describe(self, feature: int) -> str:
        """A feature in words."""
        return self._numbering.describe(feature, self.noun)

    def _checked(self, screen: Any) -> NDArray[np.uint8]:
        return palette_bytes(screen, self.shape)


def palette_bytes(screen: Any, shape: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """A checked screen of palette bytes, C-contiguous, of this shape if one is given."""
    if not isinstance(screen, np.ndarray) or screen.dtype != np.uint8:
        kind = screen.dtype if isinstance(screen, np.ndarray) else type(screen).__name__
        raise ValueError(f"screen must be an array of uint8 palette bytes, got {kind}")
    if shape is not None and screen.shape != shape:
        raise ValueError(f"screen must have shape {shape}, got {screen.shape}")
    return np.ascontiguousarray(screen)
