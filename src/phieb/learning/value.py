"""θ and e: linear values and their traces, for the rows of an active set."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.active_set import ActiveSet
from phieb.kernels.value import (
    DECISION,
    EPISODE,
    NUM_GONE,
    TOO_LARGE,
    new_value,
    values_of,
    with_room,
)


class LinearValue:
    """Q_h(s, a) = Σ_{i on in s} θ_{h,i,a} for one or more heads h, with replacing traces.

    The kernels that learn are in `phieb.kernels.value`.

    Args:
        active_set: gives the rows.
        heads: how many value functions share the traces.
        actions: how many actions.
        precision: of weights and traces, "double" or "single".

    Attributes:
        tables: what the kernels work on (`phieb.kernels.value.Value`).
    """

    def __init__(
        self,
        active_set: ActiveSet,
        heads: int,
        actions: int,
        precision: Literal["double", "single"],
    ) -> None:
        arguments.one_of("precision", precision, ("double", "single"))
        self.active_set, self.shape = active_set, (heads, actions)
        self.dtype = np.float64 if precision == "double" else np.float32
        self.tables = new_value(64, 64, 64, self.shape, self.dtype)

    def make_room(self, updates: int = 2) -> bool:
        """Room for all that the active set has room for; returns whether anything grew."""
        active = self.active_set.tables
        room = with_room(self.tables, active.slot_of.size, active.active.size, updates)
        grown, self.tables = room is not self.tables, room
        return grown

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Q_h(s, ·) for each head, from those among `ids` that were seen before."""
        rows = self.active_set.rows.known(ids)
        q: NDArray[np.float64] = values_of(rows, self.active_set.tables, self.tables)
        return q

    def is_sound(self) -> bool:
        """Whether all weights are numbers of a sensible size."""
        tables, rows = self.tables, len(self.active_set.rows)
        parts = tables.table[:rows], tables.live[: len(self.active_set)]
        return all(bool((np.abs(part) < TOO_LARGE).all()) for part in parts)  # False for NaN

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays, for `restore`."""
        tables, rows = self.tables, len(self.active_set.rows)
        decision, num_gone, _ = tables.sizes
        return {
            "table": tables.table[:rows].copy(),
            "live": tables.live[: len(self.active_set)].copy(),
            "left_at": tables.left_at[:rows].copy(),
            "gone": tables.gone[:num_gone].copy(),
            "owed": tables.owed[:decision].copy(),
            "sizes": tables.sizes.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned; the active set is restored already."""
        rows, slots = len(self.active_set.rows), len(self.active_set)
        width = self.tables.table.shape[1]
        sizes = _part(state, "sizes", (3,), np.int64)
        decision, num_gone = int(sizes[DECISION]), int(sizes[NUM_GONE])
        if decision < 0 or not 0 <= num_gone <= rows:
            raise ValueError("state['sizes'] must agree with the other parts")
        parts = {
            "table": _part(state, "table", (rows, width), self.dtype),
            "live": _part(state, "live", (slots, width), self.dtype),
            "left_at": _part(state, "left_at", (rows,), np.int64),
            "gone": _part(state, "gone", (num_gone,), np.int64),
            "owed": _part(state, "owed", (decision, self.shape[0]), np.float64),
            "sizes": sizes,
        }
        left_at, gone = parts["left_at"], parts["gone"]
        if np.any((left_at < -1) | (left_at >= max(decision, 1))):
            raise ValueError("state['left_at'] must hold decisions of the episode")
        if np.any((gone < 0) | (gone >= rows)):
            raise ValueError("state['gone'] must hold rows")
        active = self.active_set.tables
        room = new_value(
            active.slot_of.size, active.active.size, decision + 2, self.shape, self.dtype
        )
        for name, part in parts.items():
            getattr(room, name)[: part.shape[0]] = part
        room.gone_in[gone] = sizes[EPISODE]
        self.tables = room


def _part(
    state: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...], dtype: type[Any]
) -> NDArray[Any]:
    part = np.asarray(arguments.part("state", state, name))
    if part.shape != shape or part.dtype != dtype:
        found = f"{part.dtype} {part.shape}"
        raise ValueError(f"state[{name!r}] must be {np.dtype(dtype)} {shape}, got {found}")
    return part
