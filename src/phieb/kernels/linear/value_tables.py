"""The arrays behind linear values with lazy traces (`phieb.kernels.linear.value`).

A row of `table` has the weights of each head and then the traces; each of these sections has one
column per action, padded with zeros to a multiple of the SIMD width. `sums`, `always` and `stays`
have the same columns. After them a row has its two times. Rows start at cache lines. Sums are in
double precision whatever the precision of the table, so that repeated additions and subtractions
do not drift.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.lanes import LANES, padded
from phieb.kernels.numba_support.memory import LINE, aligned_zeros

DECISION, NUM_GONE, EPISODE = range(3)  # indices of `sizes`
SINCE, GONE_IN = range(2)  # columns of `times`
START = -1  # SINCE of a row that is active when an episode starts
NO_TRACES = -2  # SINCE of an inactive row without traces
FORGOTTEN = 1e-14  # a trace this small no longer changes a weight
NUM_POWERS, NUM_STAYS = 512, 128
NUM_EPISODES = 2**31  # the episode counter wraps here


class Value(NamedTuple):
    """Weights and traces of all rows, as of the time they last entered or exited."""

    table: NDArray[np.floating[Any]]  # (row, column)
    times: NDArray[np.int32]  # (row, 2): when it last entered or exited, the last episode it
    # exited in; unset until the row is first active
    gone: NDArray[np.int64]  # (row,): rows that exited in this episode, the first sizes[NUM_GONE]
    owed: NDArray[np.float64]  # (time, head): H
    path: NDArray[np.float64]  # (time, head): U of the action taken then
    taken: NDArray[np.int64]  # (time,): the action taken then
    last: NDArray[np.int64]  # (action,): when it was last taken, or START
    always: NDArray[np.float64]  # (column,): U, and the traces of a row active all the time
    sums: NDArray[np.float64]  # (column,): sums over the active rows
    powers: NDArray[np.float64]  # (k,): (γλ)^k
    fading: NDArray[np.float64]  # (k · heads,): the powers above FORGOTTEN, ascending, per head
    lane_steps: NDArray[np.float64]  # scratch (lane,): α δ of the heads in turn
    stays: NDArray[np.float64]  # (place, 2, column): slope and offset, see `write_stay`
    stay_times: NDArray[np.int64]  # (place, 2): when the stay began and ended
    marks: NDArray[np.bool_]  # scratch (row,): all False between calls
    sizes: NDArray[np.int64]  # (3,)


def new_value(
    rows: int, times: int, shape: tuple[int, int], decay: float, dtype: type[np.floating[Any]]
) -> Value:
    """All zero, for (heads, actions) = `shape`, with capacity for so many rows and updates."""
    heads, actions = shape
    width = (heads + 1) * padded(actions)
    powers = decay ** np.arange(NUM_POWERS, dtype=np.float64)
    matter = powers[: padded(int((powers > FORGOTTEN).sum()))]
    return Value(
        *_new_table(rows, width, dtype),
        np.zeros(rows, np.int64),
        np.zeros((times, heads)),
        np.zeros((times, heads)),
        np.zeros(times, np.int64),
        np.full(actions, START),
        np.zeros(width),
        np.zeros(width),
        powers,
        np.repeat(matter[::-1], heads),
        np.zeros(LANES),
        np.zeros((NUM_STAYS, 2, width)),
        np.full((NUM_STAYS, 2), START - 1),
        np.zeros(rows, np.bool_),
        np.zeros(3, np.int64),
    )


def _new_table(
    rows: int, width: int, dtype: type[np.floating[Any]]
) -> tuple[NDArray[np.floating[Any]], NDArray[np.int32]]:
    """A table of zeros, and a view of the times that follow the columns of each row.

    Nothing is written, so that the operating system maps memory only for rows that are used.
    """
    size = np.dtype(dtype).itemsize
    length = -(-(width * size + 8) // LINE) * LINE
    table = aligned_zeros((rows, length // size), dtype)
    return table, table.view(np.int32)[:, width * size // 4 :][:, :2]


def with_capacity(old: Value, rows: int, updates: int = 2) -> Value:
    """The same, with capacity for so many rows and `updates` more: a step's and the end's."""
    capacity, times = old.table.shape[0], int(old.sizes[DECISION]) + updates
    if rows > capacity:
        table, row_times = _new_table(rows, old.sums.size, old.table.dtype.type)
        # Both are copied: in a pickled or deep-copied agent, `times` is not a view of `table`.
        table[:capacity], row_times[:capacity] = old.table, old.times
        old = _grown(old._replace(table=table, times=row_times), ("gone", "marks"), rows)
    if times > old.taken.size:
        old = _grown(old, ("owed", "path", "taken"), max(times, 2 * old.taken.size))
    return old


def _grown(old: Value, names: tuple[str, ...], size: int) -> Value:
    new = {}
    for name in names:
        part = getattr(old, name)
        new[name] = np.zeros((size, *part.shape[1:]), part.dtype)
        new[name][: part.shape[0]] = part
    return old._replace(**new)
