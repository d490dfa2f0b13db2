"""Row numbers for feature ids, so that what is kept per feature can live in plain arrays."""

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.sparse.rows import known_rows_of, new_rows, rows_of, with_room


class Rows:
    """Gives each feature id a row number at first sight, counting from 0.

    However many features are possible, memory grows only with those that were seen.

    Attributes:
        table: what the kernels work on (`phieb.kernels.sparse.rows.Rows`).

    Example:
        >>> rows = Rows()
        >>> rows.of(np.array([70, 5]))
        array([0, 1])
        >>> rows.of(np.array([5, 9]))
        array([1, 2])
    """

    def __init__(self) -> None:
        self.table = new_rows(64)

    def __len__(self) -> int:
        return int(self.table.size[0])

    @property
    def capacity(self) -> int:
        """How many rows there is room for."""
        return self.table.ids.size

    def make_room(self, num_ids: int) -> None:
        """Room for so many new ids."""
        self.table = with_room(self.table, len(self) + num_ids)

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of `ids`; an id never seen before gets the next free row."""
        self.make_room(ids.size)
        out = np.empty(ids.size, np.int64)
        rows_of(ids, self.table, out)
        return out

    def known(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of those among `ids` that were seen before; nothing is added."""
        out = np.empty(ids.size, np.int64)
        return out[: known_rows_of(ids, self.table, out)]

    def ids(self) -> NDArray[np.int64]:
        """All ids seen, in order of their rows."""
        return self.table.ids[: len(self)].copy()
