"""The active set: the table rows of the active features, and which of them changed."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.sparse.active import LAST, NOW, NUM_ACTIVE, new_active, with_capacity
from phieb.sparse.rows import Rows


class ActiveSet:
    """Maps feature ids to rows, and tracks which rows entered and which exited.

    Values and counts each have their own arrays, indexed by these rows. If they share an active
    set, ids are looked up once; then `phieb.learning.compiled` updates it for both. The kernels are
    in `phieb.kernels.sparse.active`.

    Attributes:
        rows: a row for every id ever seen.
        tables: the arrays of the kernels (`phieb.kernels.sparse.active.Active`).
    """

    def __init__(self) -> None:
        self.rows = Rows()
        self.tables = new_active(64)

    def __len__(self) -> int:
        return int(self.tables.sizes[NUM_ACTIVE])

    def ensure_capacity(self, num_ids: int) -> None:
        """Grow the tables if one more observation, with so many features, does not fit."""
        self.rows.ensure_capacity(num_ids)
        self.tables = with_capacity(self.tables, num_ids)

    def on(self) -> NDArray[np.int64]:
        """(k,): the rows of the active features, in the order of their ids."""
        return self.tables.rows[self.tables.sizes[NOW], : len(self)].copy()

    def active_ids(self) -> NDArray[np.int64]:
        """(k,): the ids of the active features, in ascending order."""
        return self.tables.ids[self.tables.sizes[NOW], : len(self)].copy()

    def state(self) -> dict[str, NDArray[Any]]:
        """The whole state, as arrays for `restore`."""
        return {"ids": self.rows.ids(), "active": self.on()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        ids, active = (arguments.part("state", state, name) for name in ("ids", "active"))
        ids = arguments.feature_ids("state['ids']", ids)
        active = arguments.feature_ids("state['active']", active, max(ids.size, 1))
        if active.size > ids.size or np.any(np.diff(ids[active]) <= 0):
            raise ValueError("state['active'] must hold rows of state['ids'], in their order")
        self.rows = Rows()
        self.rows.of(ids)
        self.tables = with_capacity(new_active(64), active.size)
        now = self.tables.sizes[NOW]
        self.tables.ids[now, : active.size + 1] = [*ids[active], LAST]
        self.tables.rows[now, : active.size] = active
        self.tables.sizes[NUM_ACTIVE] = active.size
