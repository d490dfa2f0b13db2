"""Linear values θ and their traces e, for the rows of an active set."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.linear.value import TOO_LARGE, values_of
from phieb.kernels.linear.value_tables import (
    DECISION,
    EPISODE,
    GONE_IN,
    NO_TRACES,
    NUM_EPISODES,
    NUM_GONE,
    SINCE,
    START,
    Value,
    new_value,
    with_capacity,
)
from phieb.sparse.active_set import ActiveSet


class LinearValue:
    """Q_h(s, a) = Σ_{i on in s} θ_{h,i,a} for one or two heads h, with replacing traces.

    The kernels that learn are in `phieb.kernels.linear.value`.

    Args:
        active_set: assigns the rows.
        heads: the number of value functions that share the traces, one or two.
        actions: the number of actions.
        decay: γλ, the decay of the traces.
        precision: of weights and traces, "double" or "single".

    Attributes:
        tables: the arrays of the kernels (`phieb.kernels.linear.value_tables.Value`).
    """

    def __init__(
        self,
        active_set: ActiveSet,
        heads: int,
        actions: int,
        decay: float,
        precision: Literal["double", "single"],
    ) -> None:
        arguments.one_of("precision", precision, ("double", "single"))
        self.active_set, self.shape, self.decay = active_set, (heads, actions), decay
        self.dtype = np.float64 if precision == "double" else np.float32
        self.tables = new_value(64, 64, self.shape, decay, self.dtype)

    def ensure_capacity(self, updates: int = 2) -> None:
        """Grow the tables to the capacity of the active set and so many further updates."""
        self.tables = with_capacity(self.tables, self.active_set.rows.capacity, updates)

    @property
    def updates_left(self) -> int:
        """The number of updates that fit, apart from one for the end of an episode."""
        return self.tables.taken.size - int(self.tables.sizes[DECISION]) - 1

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """(head, action): Q_h(s, ·) of the features `ids`; those never seen count 0."""
        self.ensure_capacity()
        rows = self.active_set.rows.known(ids)
        q: NDArray[np.float64] = values_of(rows, self.active_set.tables, self.tables)
        return q

    def weights(self) -> NDArray[np.float64]:
        """(head, row, action): the weights of all rows, with what they are still to gain.

        A row that exited before update s with traces e gains e·H_s; see the kernel for the others.
        """
        num_heads, rows = self.shape[0], self.active_set.rows
        table = self._by_action(self.tables.table[: len(rows)]).astype(np.float64)
        found, traces = np.moveaxis(table[:, :num_heads], 1, 0).copy(), table[:, num_heads]
        since = self.tables.times[: len(rows), SINCE]
        fading = np.flatnonzero(since >= 0)
        found[:, fading] += self.tables.owed[since[fading]].T[:, :, None] * traces[fading]
        ids = rows.ids()
        for row in self.active_set.on():
            found[:, row] = self.of(ids[row : row + 1])
        return found

    def is_sound(self) -> bool:
        """Whether all weights are finite and below 1e9 in size."""
        columns = slice(self.tables.sums.size)
        table = self.tables.table[: len(self.active_set.rows), columns]
        parts = table, self.tables.sums, self.tables.always
        return all(bool((np.abs(part) < TOO_LARGE).all()) for part in parts)  # False for NaN

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore`."""
        tables, rows = self.tables, len(self.active_set.rows)
        decision, num_gone, _ = tables.sizes
        return {
            "table": self._by_action(tables.table[:rows]).copy(),
            "since": tables.times[:rows, SINCE].copy(),
            "gone": tables.gone[:num_gone].copy(),
            "owed": tables.owed[:decision].copy(),
            "path": tables.path[: decision + 1].copy(),
            "taken": tables.taken[: decision + 1].copy(),
            "last": tables.last.copy(),
            "always": self._by_action(tables.always).copy(),
            "totals": self._by_action(tables.sums).copy(),
            "sizes": tables.sizes.copy(),
        }

    def read(self, state: Mapping[str, NDArray[Any]], active_set: ActiveSet) -> Value:
        """The tables of a saved `state`, given the active set saved with it."""
        rows, (heads, actions) = len(active_set.rows), self.shape
        columns = (heads + 1, actions)
        sizes = _part(state, "sizes", (3,), np.int64)
        decision, num_gone = int(sizes[DECISION]), int(sizes[NUM_GONE])
        is_episode = 0 <= sizes[EPISODE] < NUM_EPISODES
        if decision < 0 or not 0 <= num_gone <= rows or not is_episode:
            raise ValueError("state['sizes'] must agree with the other parts")
        table = _part(state, "table", (rows, *columns), self.dtype)
        since = _part(state, "since", (rows,), np.int32)
        parts = {
            "gone": _part(state, "gone", (num_gone,), np.int64),
            "owed": _part(state, "owed", (decision, heads), np.float64),
            "path": _part(state, "path", (decision + 1, heads), np.float64),
            "taken": _part(state, "taken", (decision + 1,), np.int64),
            "last": _part(state, "last", (actions,), np.int64),
            "sizes": sizes,
        }
        for name, low, high in (("last", START, decision), ("gone", 0, rows - 1)):
            if np.any((parts[name] < low) | (parts[name] > high)):
                raise ValueError(f"state[{name!r}] must be in [{low}, {high}]")
        _check_times(since, active_set.on(), parts, decision)
        tables = new_value(
            active_set.rows.capacity, max(decision + 2, 64), self.shape, self.decay, self.dtype
        )
        for name, part in parts.items():
            getattr(tables, name)[: part.shape[0]] = part
        self._by_action(tables.table[:rows])[:] = table
        self._by_action(tables.always)[:] = _part(state, "always", columns, np.float64)
        self._by_action(tables.sums)[:] = _part(state, "totals", columns, np.float64)
        tables.times[:rows, SINCE], tables.times[:rows, GONE_IN] = since, NO_TRACES
        tables.times[parts["gone"], GONE_IN] = sizes[EPISODE]
        return tables

    def _by_action(self, array: NDArray[Any]) -> NDArray[Any]:
        """A (…, head + 1, action) view without the padding: weights of each head, then traces."""
        heads, actions = self.shape
        width = self.tables.sums.size
        sections = array[..., :width].reshape(*array.shape[:-1], heads + 1, width // (heads + 1))
        return sections[..., :actions]


def _check_times(
    since: NDArray[np.int32], on: NDArray[np.int64], parts: Mapping[str, NDArray[Any]], now: int
) -> None:
    """Refuse times that would make the kernels, which do not check bounds, read elsewhere."""
    taken, last, gone = parts["taken"], parts["last"], parts["gone"]
    is_on, is_gone = np.zeros(since.size, bool), np.zeros(since.size, bool)
    is_on[on], is_gone[gone] = True, True
    if is_gone.sum() != gone.size:
        raise ValueError("state['gone'] must hold each row once")
    # An inactive row has traces if it exited in this episode; an active one entered in it.
    valid = np.where(is_on, since >= START, (since == NO_TRACES) | ((since >= 0) & is_gone))
    if not valid.all() or np.any(since > now):
        raise ValueError("state['since'] must hold decisions of the episode")
    if np.any((taken < 0) | (taken >= last.size)):
        raise ValueError("state['taken'] must hold actions")
    if any(time != START and taken[time] != action for action, time in enumerate(last)):
        raise ValueError("state['last'] must agree with state['taken']")


def _part(
    state: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...], dtype: type[Any]
) -> NDArray[Any]:
    part = np.asarray(arguments.part("state", state, name))
    if part.shape != shape or part.dtype != dtype:
        found = f"{part.dtype} {part.shape}"
        raise ValueError(f"state[{name!r}] must be {np.dtype(dtype)} {shape}, got {found}")
    return part
