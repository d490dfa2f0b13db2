"""What linear values with lazy traces are kept in (`phieb.kernels.linear.value`).

A row of `table` is the weights of each head, for each action, and then the traces; each of these
has a column for every action and, so that four can be done at a time, some that are always 0. Sums
and stays have the same columns. Then there is what is remembered of the row's times. Rows begin
where what the processor reads at a time begins. Sums are kept in double precision whatever the
table has: what is added and taken away many times must not drift.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.lanes import LANES, padded
from phieb.kernels.numba_support.memory import LINE, aligned_zeros

DECISION, NUM_GONE, EPISODE = range(3)  # places in `sizes`
SINCE, GONE_IN = range(2)  # columns of `times`
START = -1  # the time at which rows enter that are on when an episode starts
NO_TRACES = -2  # the time at which a row left that has no traces
FORGOTTEN = 1e-14  # a trace this small no longer changes a weight
NUM_POWERS, NUM_STAYS = 512, 128
NUM_EPISODES = 2**31  # are told apart


class Value(NamedTuple):
    """Weights and traces of all rows, as they were when they last entered or left."""

    table: NDArray[np.floating[Any]]  # (row, column)
    times: NDArray[np.int32]  # (row, 2): when it entered or left, the last episode it left in;
    # set when it is first on
    gone: NDArray[np.int64]  # rows that left in this episode, each once, the first sizes[NUM_GONE]
    owed: NDArray[np.float64]  # (time, head): H
    path: NDArray[np.float64]  # (time, head): U of the action that was taken then
    taken: NDArray[np.int64]  # (time,): which action that was
    last: NDArray[np.int64]  # (action,): when it was taken last, or START
    always: NDArray[np.float64]  # (column,): U, and the traces of a row that is always on
    sums: NDArray[np.float64]  # (column,): over the rows that are on
    powers: NDArray[np.float64]  # (γλ)^k
    fading: NDArray[np.float64]  # the same from the last that matters to 1, each for all heads
    lane_steps: NDArray[np.float64]  # scratch (lane,): α δ of the heads in turn
    stays: NDArray[np.float64]  # (place, slope and offset, column): see `write_stay`
    stay_times: NDArray[np.int64]  # (place, 2): since when, until when
    marks: NDArray[np.bool_]  # scratch (row,): none, before and after
    sizes: NDArray[np.int64]


def new_value(
    rows: int, times: int, shape: tuple[int, int], decay: float, dtype: type[np.floating[Any]]
) -> Value:
    """All zero, for (heads, actions) = `shape`, with room for so many rows and updates."""
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
    """A table, and the times behind its columns, in the same memory.

    Nothing is written: the system gives memory to a row when it is first on.
    """
    size = np.dtype(dtype).itemsize
    length = -(-(width * size + 8) // LINE) * LINE
    table = aligned_zeros((rows, length // size), dtype)
    return table, table.view(np.int32)[:, width * size // 4 :][:, :2]


def with_room(old: Value, rows: int, updates: int = 2) -> Value:
    """The same, with room for so many rows and so many updates more: a step's and the end's."""
    room, times = old.table.shape[0], int(old.sizes[DECISION]) + updates
    if rows > room:
        table, row_times = _new_table(rows, old.sums.size, old.table.dtype.type)
        table[:room], row_times[:room] = old.table, old.times  # of a copy, they are apart
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
