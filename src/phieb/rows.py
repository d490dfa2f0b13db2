"""Row numbers for feature ids, so that what is kept per feature can live in plain arrays."""

import numpy as np
from numpy.typing import NDArray


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
        self._row_of: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._row_of)

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of `ids`; an id never seen before gets the next free row."""
        row_of = self._row_of
        return np.array([row_of.setdefault(i, len(row_of)) for i in ids.tolist()], np.int64)

    def known(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of those among `ids` that were seen before; nothing is added."""
        row_of = self._row_of
        return np.array([row_of[i] for i in ids.tolist() if i in row_of], np.int64)

    def ids(self) -> NDArray[np.int64]:
        """All ids seen, in order of their rows."""
        return np.fromiter(self._row_of, np.int64, len(self._row_of))
