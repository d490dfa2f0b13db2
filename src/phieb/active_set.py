"""The hinge between features and what is kept for them: which rows are on, and what changed."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.active import NUM_ACTIVE, STAMP, new_active, with_room
from phieb.rows import Rows


class ActiveSet:
    """Gives feature ids rows, and says which rows entered and which left.

    Values and counts each keep arrays of their own for these rows; two that share an active set
    look the ids up once. The kernels that fill it are in `phieb.kernels.active`.

    Attributes:
        rows: a row for every id ever seen.
        tables: what the kernels work on (`phieb.kernels.active.Active`).
    """

    def __init__(self) -> None:
        self.rows = Rows()
        self.tables = new_active(64, 64)

    def __len__(self) -> int:
        return int(self.tables.sizes[NUM_ACTIVE])

    def make_room(self, num_ids: int) -> bool:
        """Room for one more observation, of so many features; returns whether anything grew."""
        grown = self.rows.make_room(num_ids)
        room = with_room(self.tables, self.rows.capacity, num_ids)
        grown, self.tables = grown or room is not self.tables, room
        return grown

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, as arrays, for `restore`."""
        return {
            "ids": self.rows.ids(),
            "active": self.tables.active[: len(self)].copy(),
            "stamp": self.tables.sizes[[STAMP]],
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        ids, active, stamp = (arguments.part("state", state, k) for k in ("ids", "active", "stamp"))
        ids = arguments.feature_ids("state['ids']", ids)
        active = arguments.feature_ids("state['active']", active, max(ids.size, 1))
        stamp = arguments.whole("state['stamp']", np.asarray(stamp).item())
        if active.size > ids.size:
            raise ValueError("state['active'] must hold rows of state['ids']")
        self.rows = Rows()
        self.rows.of(ids)
        self.tables = with_room(new_active(64, 64), self.rows.capacity, active.size)
        self.tables.active[: active.size] = active
        self.tables.slot_of[active] = np.arange(active.size)
        self.tables.seen[active] = stamp
        self.tables.sizes[[NUM_ACTIVE, STAMP]] = active.size, stamp
