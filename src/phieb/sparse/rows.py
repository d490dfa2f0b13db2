"""Row numbers for feature ids, so that data per feature can be stored in plain arrays."""

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.sparse.rows import known_rows_of, new_rows, rows_of, with_capacity


class Rows:
    """Assigns row numbers to feature ids, from 0, in the order in which they are first seen.

    Memory grows with the number of features seen, not with the number of possible ones.

    Attributes:
        table: the arrays of the kernels (`phieb.kernels.sparse.rows.Rows`).

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
        """The number of rows that fit without growing."""
        return self.table.ids.size

    def ensure_capacity(self, num_ids: int) -> None:
        """Grow the table if so many new ids do not fit."""
        self.table = with_capacity(self.table, len(self) + num_ids)

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of `ids`; an id never seen before gets the next free row."""
        self.ensure_capacity(ids.size)
        out = np.empty(ids.size, np.int64)
        rows_of(ids, self.table, out)
        return out

    def known(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of those `ids` that were seen before; no row is assigned."""
        out = np.empty(ids.size, np.int64)
        return out[: known_rows_of(ids, self.table, out)]

    def ids(self) -> NDArray[np.int64]:
        """All ids seen, in the order of their rows."""
        return self.table.ids[: len(self)].copy()
