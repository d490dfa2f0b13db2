"""Row numbers for feature ids, so that what is kept per feature can live in plain arrays."""

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.rows import known_rows_of, new_rows, rows_of, with_room


class Rows:
    """Gives each feature id a row number at first sight, counting from 0.

    However many features are possible, memory grows only with those that were seen.

    Example:
        >>> rows = Rows()
        >>> rows.of(np.array([70, 5]))
        array([0, 1])
        >>> rows.of(np.array([5, 9]))
        array([1, 2])
    """

    def __init__(self) -> None:
        self._table = new_rows(64)

    def __len__(self) -> int:
        return int(self._table.size[0])

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of `ids`; an id never seen before gets the next free row."""
        self._table = with_room(self._table, len(self) + ids.size)
        out = np.empty(ids.size, np.int64)
        rows_of(ids, self._table, out)
        return out

    def known(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of those among `ids` that were seen before; nothing is added."""
        out = np.empty(ids.size, np.int64)
        return out[: known_rows_of(ids, self._table, out)]

    def ids(self) -> NDArray[np.int64]:
        """All ids seen, in order of their rows."""
        return self._table.ids[: len(self)].copy()
