"""The hinge between features and what is kept for them: which rows are on, and what changed."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.sparse.active import LAST, NOW, NUM_ACTIVE, new_active, with_room
from phieb.sparse.rows import Rows


class ActiveSet:
    """Gives feature ids rows, and says which rows entered and which left.

    Values and counts each keep arrays of their own for these rows. Two that share an active set
    look the ids up once; then `phieb.learning.compiled` fills it, for both at the same time. The
    kernels are in `phieb.kernels.sparse.active`.

    Attributes:
        rows: a row for every id ever seen.
        tables: what the kernels work on (`phieb.kernels.sparse.active.Active`).
    """

    def __init__(self) -> None:
        self.rows = Rows()
        self.tables = new_active(64)

    def __len__(self) -> int:
        return int(self.tables.sizes[NUM_ACTIVE])

    def make_room(self, num_ids: int) -> None:
        """Room for one more observation, of so many features."""
        self.rows.make_room(num_ids)
        self.tables = with_room(self.tables, num_ids)

    def on(self) -> NDArray[np.int64]:
        """The rows of the features that are on, in the order of their ids."""
        return self.tables.rows[self.tables.sizes[NOW], : len(self)].copy()

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, as arrays, for `restore`."""
        return {"ids": self.rows.ids(), "active": self.on()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        ids, active = (arguments.part("state", state, name) for name in ("ids", "active"))
        ids = arguments.feature_ids("state['ids']", ids)
        active = arguments.feature_ids("state['active']", active, max(ids.size, 1))
        if active.size > ids.size or np.any(np.diff(ids[active]) <= 0):
            raise ValueError("state['active'] must hold rows of state['ids'], in their order")
        self.rows = Rows()
        self.rows.of(ids)
        self.tables = with_room(new_active(64), active.size)
        now = self.tables.sizes[NOW]
        self.tables.ids[now, : active.size + 1] = [*ids[active], LAST]
        self.tables.rows[now, : active.size] = active
        self.tables.sizes[NUM_ACTIVE] = active.size
