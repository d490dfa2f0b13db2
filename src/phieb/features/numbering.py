"""The numbering of screen features: consecutive ids, as many as published."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.kernels.blob_prost.pairs import Layout
from phieb.kernels.blob_prost.places import COLOURS

BASIC, SPACE, TIME, BIAS = 0, 1, 2, 3  # kinds, the first column of a decoded row
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Numbering:
    """Ids for basic features, space pairs, time pairs and the bias, in this order.

    A decoded row is (kind, c1, c2, a, b): for a basic feature, a colour, −1 and its tile; for a
    pair, two colours and the offset tile(c1) − tile(c2) in rows and columns of tiles; for the bias,
    (3, −1, −1, 0, 0). In time, c1 is on the previous screen and c2 on the current one.

    Args:
        num_rows: rows of tiles.
        num_columns: columns of tiles.
        space: whether there are space pairs.
        time: whether there are time pairs.
    """

    def __init__(self, num_rows: int, num_columns: int, space: bool, time: bool) -> None:
        self.tiles = num_rows * num_columns
        self.width = 2 * num_columns - 1
        self.middle = (2 * num_rows - 1) * self.width // 2  # index of the offset (0, 0)
        num_offsets = 2 * self.middle + 1
        different = COLOURS * self.tiles
        same = different + COLOURS * (COLOURS - 1) // 2 * num_offsets
        after_space = same + COLOURS * (self.middle + 1) if space else different
        bias = after_space + COLOURS**2 * num_offsets if time else after_space
        self.layout = Layout(
            num_rows,
            num_columns,
            num_offsets,
            different if space else -1,
            same if space else -1,
            after_space if time else -1,
            bias,
        )
        self.size = bias + 1

    def decode(self, ids: ArrayLike) -> NDArray[np.int16]:
        """One row (kind, c1, c2, a, b) for each id; ids may repeat."""
        each, back = np.unique(np.asarray(ids), return_inverse=True)
        return self._decode(arguments.feature_ids("ids", each, self.size))[back]

    def _decode(self, ids: NDArray[np.int64]) -> NDArray[np.int16]:
        at, out = self.layout, np.empty((ids.size, 5), np.int16)
        basic = ids < COLOURS * self.tiles
        out[basic] = self._basic_rows(ids[basic])
        if at.different >= 0:
            two = (ids >= at.different) & (ids < at.same)
            one = (ids >= at.same) & (ids < at.same + COLOURS * (self.middle + 1))
            pair, offset = np.divmod(ids[two] - at.different, at.num_offsets)
            c1, c2 = np.triu_indices(COLOURS, 1)  # c1 < c2, in order of their numbers
            out[two] = self._pair_rows(SPACE, c1[pair], c2[pair], offset)
            colour, offset = np.divmod(ids[one] - at.same, self.middle + 1)
            out[one] = self._pair_rows(SPACE, colour, colour, offset + self.middle)
        if at.time >= 0:
            timed = (ids >= at.time) & (ids < at.bias)
            pair, offset = np.divmod(ids[timed] - at.time, at.num_offsets)
            out[timed] = self._pair_rows(TIME, pair // COLOURS, pair % COLOURS, offset)
        out[ids == at.bias] = (BIAS, -1, -1, 0, 0)
        return out

    def encode(self, rows: ArrayLike) -> NDArray[np.int64]:
        """The ids of decoded rows."""
        table = np.asarray(rows)
        if table.ndim != 2 or table.shape[1] != 5 or table.dtype.kind not in "iu":
            what = f"shape {table.shape} of {table.dtype}"
            raise ValueError(f"rows must be whole numbers of shape (n, 5), got {what}")
        table = table.astype(np.int64)
        kind, c1, c2, a, b = table.T
        at = self.layout
        offset = self.middle + a * self.width + b
        before = c1 * (2 * COLOURS - c1 - 1) // 2 - c1 - 1
        ids: NDArray[np.int64] = np.select(
            [kind == BASIC, (kind == SPACE) & (c1 < c2), kind == SPACE, kind == TIME, kind == BIAS],
            [
                (c1 * at.num_rows + a) * at.num_columns + b,
                at.different + (before + c2) * at.num_offsets + offset,
                at.same + c1 * (self.middle + 1) + offset - self.middle,
                at.time + (c1 * COLOURS + c2) * at.num_offsets + offset,
                np.full(kind.shape, at.bias),
            ],
            default=-1,
        )
        # A row with a value out of range decodes to a different row.
        valid = (ids >= 0) & (ids < self.size)
        valid[valid] = (self.decode(ids[valid]) == table[valid]).all(axis=1)
        if not valid.all():
            bad = tuple(table[~valid][0].tolist())
            raise ValueError(f"rows must hold features of this map, got {bad}")
        return ids

    def describe(self, feature: int, noun: str) -> str:
        """A description of a feature; `noun` names the things in a tile."""
        kind, c1, c2, a, b = self.decode([arguments.whole("feature", feature, high=self.size - 1)])[
            0
        ].tolist()
        if kind == BIAS:
            return "bias, always on"
        if kind == BASIC:
            return f"{noun} of colour {c1} in tile row {a}, column {b}"
        if kind == SPACE:
            where = _where(a, b)
            return f"{noun} of colour {c1} {where or 'in the same tile as'} one of colour {c2}"
        where = _where(-a, -b)
        then = f"where one of colour {c1} was"
        return f"{noun} of colour {c2} {where} {then}" if where else f"{noun} of colour {c2} {then}"

    def _basic_rows(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        colour, tile = np.divmod(ids, self.tiles)
        row, column = np.divmod(tile, self.layout.num_columns)
        return np.stack([np.full_like(ids, BASIC), colour, np.full_like(ids, -1), row, column], 1)

    def _pair_rows(
        self, kind: int, c1: NDArray[np.int64], c2: NDArray[np.int64], offset: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        rows, columns = np.divmod(offset, self.width)
        half_height, half_width = self.layout.num_rows - 1, self.layout.num_columns - 1
        return np.stack(
            [np.full_like(c1, kind), c1, c2, rows - half_height, columns - half_width], 1
        )


def _where(rows: int, columns: int) -> str:
    """For example "three tiles above and one tile right of"; empty for the same tile."""
    parts = (
        (abs(rows), "above" if rows < 0 else "below"),
        (abs(columns), "left of" if columns < 0 else "right of"),
    )
    return " and ".join(f"{_tiles(n)} {side}" for n, side in parts if n)


def _tiles(n: int) -> str:
    number = _NUMBERS[n] if n < len(_NUMBERS) else str(n)
    return f"{number} tile{'s' if n > 1 else ''}"
