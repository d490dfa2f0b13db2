"""Linear values with replacing traces, lazily: a decision touches the active rows and no others.

While a feature is off, all its traces decay by the same factor. A row that left before the update
of decision τ of an episode, with the traces e, is by decision t owed e·H_τ, with
H_τ = Σ_{k=τ}^{t−1} α_k δ_k (γλ)^(k−τ), one number a decision and head; its traces are e·(γλ)^(t−τ).
It is paid when it enters again, or when the episode ends.

A row of a table is the weights of each head, for each action, and then the traces.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.active import FIRST_NEW, NUM_ACTIVE, NUM_ENTERED, NUM_LEFT
from phieb.kernels.jit import kernel

DECISION, NUM_GONE, EPISODE = range(3)  # places in `sizes`
TOO_LARGE = 1e9  # no weight or action value should ever get there
FORGOTTEN = 1e-14  # a trace this small no longer changes a weight


class Value(NamedTuple):
    """Weights and traces of all rows, and a compact table of those that are active."""

    table: NDArray[np.floating[Any]]  # (row, column), while the row is off; traces as it left
    live: NDArray[np.floating[Any]]  # (slot, column), while the row is active
    left_at: NDArray[np.int64]  # (row,): the decision before whose update it left, or -1: no traces
    gone: NDArray[np.int64]  # rows that left in this episode, each once, the first sizes[1]
    gone_in: NDArray[np.int64]  # (row,): the last episode it left in
    owed: NDArray[np.float64]  # (decision, head): H
    sizes: NDArray[np.int64]


def new_value(
    rows: int, slots: int, decisions: int, shape: tuple[int, int], dtype: type[np.floating[Any]]
) -> Value:
    """All zero, for (heads, actions) = `shape`, with room for so many rows, slots and decisions."""
    heads, actions = shape
    return Value(
        np.zeros((rows, (heads + 1) * actions), dtype),
        np.zeros((slots, (heads + 1) * actions), dtype),
        np.full(rows, -1),
        np.zeros(rows, np.int64),
        np.full(rows, -1),
        np.zeros((decisions, heads)),
        np.zeros(3, np.int64),
    )


def with_room(old: Value, rows: int, slots: int, updates: int = 2) -> Value:
    """The same, with room for so many rows, slots and updates: a step's and the end's."""
    sizes = (old.table.shape[0], old.live.shape[0], old.owed.shape[0])
    decisions = int(old.sizes[DECISION]) + updates
    if rows <= sizes[0] and slots <= sizes[1] and decisions <= sizes[2]:
        return old
    more = 2 * sizes[2] if decisions > sizes[2] else sizes[2]
    heads = old.owed.shape[1]
    shape = (heads, old.table.shape[1] // (heads + 1))
    room = (max(rows, sizes[0]), max(slots, sizes[1]), max(decisions, more))
    new = new_value(*room, shape, old.table.dtype.type)
    for name in Value._fields:
        part = getattr(old, name)
        getattr(new, name)[tuple(slice(n) for n in part.shape)] = part
    return new


@kernel
def leave(row, slot, last, table, live, num_weights):
    """Keep the row in `slot`, and move the row in the last slot there; returns if it has traces."""
    any_trace = False
    for k in range(table.shape[1]):
        table[row, k] = live[slot, k]
        live[slot, k] = live[last, k]
    for k in range(num_weights, table.shape[1]):
        any_trace |= table[row, k] != 0.0
    return any_trace


@kernel
def pay(row, table, left_at, owed):
    """Give a row that is off what it is owed; its traces stay as they were when it left."""
    heads = owed.shape[1]
    actions = table.shape[1] // (heads + 1)
    for h in range(heads):
        amount = table.dtype.type(owed[left_at[row], h])
        for a in range(actions):
            table[row, h * actions + a] += amount * table[row, heads * actions + a]


@kernel
def enter(row, slot, factor, table, live, num_weights):
    """Move a row to the active table, with its traces decayed."""
    for k in range(num_weights):
        live[slot, k] = table[row, k]
    for k in range(num_weights, table.shape[1]):
        live[slot, k] = factor * table[row, k]


@kernel
def exchange(initial, decay, active_set, value):
    """Let the rows leave and enter that the active set says.

    Weights of rows that are new start at `initial`, in the last head.
    """
    table, live, left_at, gone, gone_in, owed, mine = value
    sizes, left, entered = active_set.sizes, active_set.left, active_set.entered
    kept = sizes[NUM_ACTIVE] - sizes[NUM_ENTERED]
    last = kept + sizes[NUM_LEFT] - 1
    num_weights = table.shape[1] // (owed.shape[1] + 1) * owed.shape[1]
    for k in range(sizes[NUM_LEFT]):
        slot, row = left[k, 0], left[k, 1]
        any_trace = leave(row, slot, last - k, table, live, num_weights)
        left_at[row] = mine[DECISION] if any_trace else -1
        if any_trace and gone_in[row] != mine[EPISODE]:
            gone_in[row] = mine[EPISODE]
            gone[mine[NUM_GONE]] = row
            mine[NUM_GONE] += 1
    for k in range(sizes[NUM_ENTERED]):
        row, factor = entered[k], table.dtype.type(0.0)
        if row >= sizes[FIRST_NEW]:
            table[row, num_weights - (table.shape[1] - num_weights) : num_weights] = initial
        if left_at[row] >= 0:
            pay(row, table, left_at, owed)
            factor = table.dtype.type(decay ** (mine[DECISION] - left_at[row]))
            left_at[row] = -1
        enter(row, kept + k, factor, table, live, num_weights)


@kernel
def action_values(num_active, value):
    """Q_h(s, a) for each head and action: the column sums of the active table."""
    live, heads = value.live, value.owed.shape[1]
    actions = live.shape[1] // (heads + 1)
    q = np.zeros(heads * actions)
    for slot in range(num_active):
        for k in range(q.size):
            q[k] += live[slot, k]
    return q.reshape(heads, actions)


@kernel
def values_of(on, active_set, value):
    """Q_h(·) for each head and action of any rows, whether active or not; nothing changes."""
    table, live, left_at, _, _, owed, _ = value
    heads = owed.shape[1]
    actions = table.shape[1] // (heads + 1)
    q = np.zeros((heads, actions))
    for row in on:
        slot = active_set.slot_of[row]
        for h in range(heads):
            amount = owed[left_at[row], h] if left_at[row] >= 0 else 0.0
            for a in range(actions):
                k = h * actions + a
                if slot >= 0:
                    q[h, a] += live[slot, k]
                else:
                    q[h, a] += table[row, k] + amount * table[row, heads * actions + a]
    return q


@kernel
def update(num_active, steps, decay, value):
    """θ += α δ e for every row, `steps` being α δ of each head: now if active, owed if not."""
    live, owed, heads = value.live, value.owed, value.owed.shape[1]
    actions = live.shape[1] // (heads + 1)
    traces = heads * actions
    for slot in range(num_active):
        for h in range(heads):
            step, first = live.dtype.type(steps[h]), h * actions
            for a in range(actions):
                live[slot, first + a] += step * live[slot, traces + a]
    decision = value.sizes[DECISION]
    factor, left_at = 1.0, decision
    while left_at >= 0 and factor > FORGOTTEN:
        for h in range(heads):
            owed[left_at, h] += steps[h] * factor
        factor *= decay
        left_at -= 1
    value.sizes[DECISION] = decision + 1
    owed[decision + 1, :] = 0.0  # who leaves before the next update is owed nothing yet


@kernel
def take(num_active, action, decay, value, q_taken):
    """Traces decay, those of the active features and the action are set to 1; Q_h(s, a) is kept."""
    live, heads = value.live, value.owed.shape[1]
    actions = live.shape[1] // (heads + 1)
    traces, factor = heads * actions, live.dtype.type(decay)
    for h in range(heads):
        q_taken[h] = 0.0
    for slot in range(num_active):
        for a in range(actions):
            live[slot, traces + a] *= factor
        live[slot, traces + action] = 1.0
        for h in range(heads):
            q_taken[h] += live[slot, h * actions + action]


@kernel
def clear_traces(num_active, value):
    """The episode is over: pay every row what it is owed, and clear all traces."""
    table, live, left_at, gone, _, owed, sizes = value
    for k in range(sizes[NUM_GONE]):
        row = gone[k]
        if left_at[row] >= 0:
            pay(row, table, left_at, owed)
            left_at[row] = -1
    owed[0, :] = 0.0
    sizes[NUM_GONE] = 0
    sizes[DECISION] = 0
    sizes[EPISODE] += 1
    traces = table.shape[1] // (owed.shape[1] + 1) * owed.shape[1]
    live[:num_active, traces:] = 0.0
