"""Linear values with replacing traces, lazily: a decision touches the active rows and no others.

While a feature is off, all its traces decay by the same factor. A row that left before the update
of decision τ of an episode, with the traces e, is by decision t owed e·H_τ, with
H_τ = Σ_{k=τ}^{t−1} α_k δ_k (γλ)^(k−τ), one number a decision and head; its traces are e·(γλ)^(t−τ).
It is paid when it enters again, or when the episode ends.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.active import NUM_ACTIVE, NUM_ENTERED, NUM_LEFT
from phieb.kernels.jit import kernel

DECISION, NUM_GONE, EPISODE = range(3)  # places in `sizes`
FORGOTTEN = 1e-14  # a trace this small no longer changes a weight


class Value(NamedTuple):
    """Weights and traces of all rows, and a compact table of those that are active."""

    theta: NDArray[np.floating[Any]]  # (row, head, action), while the row is off
    trace: NDArray[np.floating[Any]]  # (row, action), while it is off: as it was when it left
    left_at: NDArray[np.int64]  # (row,): the decision before whose update it left, or -1: no traces
    active_theta: NDArray[np.floating[Any]]  # (slot, head, action)
    active_trace: NDArray[np.floating[Any]]  # (slot, action)
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
        np.zeros((rows, heads, actions), dtype),
        np.zeros((rows, actions), dtype),
        np.full(rows, -1),
        np.zeros((slots, heads, actions), dtype),
        np.zeros((slots, actions), dtype),
        np.zeros(rows, np.int64),
        np.full(rows, -1),
        np.zeros((decisions, heads)),
        np.zeros(3, np.int64),
    )


def with_room(old: Value, rows: int, slots: int) -> Value:
    """The same, with room for so many rows and slots, and two updates: a step's and the end's."""
    sizes = (old.theta.shape[0], old.active_theta.shape[0], old.owed.shape[0])
    needed = (rows, slots, int(old.sizes[DECISION]) + 2)
    if all(size >= need for size, need in zip(sizes, needed, strict=True)):
        return old
    room = [max(need, 2 * s) if need > s else s for s, need in zip(sizes, needed, strict=True)]
    rows, slots, decisions = room
    _, heads, actions = old.theta.shape
    new = new_value(rows, slots, decisions, (heads, actions), old.theta.dtype.type)
    for name in Value._fields:
        part = getattr(old, name)
        getattr(new, name)[tuple(slice(n) for n in part.shape)] = part
    return new


@kernel
def leave(row, slot, last, value):
    """Keep the row in `slot`, and move the row in the last slot there."""
    theta, trace = value.active_theta, value.active_trace
    sizes, any_trace = value.sizes, False
    for a in range(trace.shape[1]):
        value.trace[row, a] = trace[slot, a]
        any_trace |= trace[slot, a] != 0.0
        trace[slot, a] = trace[last, a]
        for h in range(theta.shape[1]):
            value.theta[row, h, a] = theta[slot, h, a]
            theta[slot, h, a] = theta[last, h, a]
    value.left_at[row] = sizes[DECISION] if any_trace else -1
    if any_trace and value.gone_in[row] != sizes[EPISODE]:
        value.gone_in[row] = sizes[EPISODE]
        value.gone[sizes[NUM_GONE]] = row
        sizes[NUM_GONE] += 1


@kernel
def pay(row, value):
    """Give a row that is off what it is owed; its traces stay as they were when it left."""
    left_at = value.left_at[row]
    for h in range(value.theta.shape[1]):
        owed = value.theta.dtype.type(value.owed[left_at, h])
        for a in range(value.trace.shape[1]):
            value.theta[row, h, a] += owed * value.trace[row, a]


@kernel
def enter(row, slot, decay, value):
    """Move a row to the active table, with its weights and traces as they are now."""
    factor = 0.0
    if value.left_at[row] >= 0:
        pay(row, value)
        factor = decay ** (value.sizes[DECISION] - value.left_at[row])
        value.left_at[row] = -1
    for a in range(value.trace.shape[1]):
        value.active_trace[slot, a] = factor * value.trace[row, a]
        for h in range(value.theta.shape[1]):
            value.active_theta[slot, h, a] = value.theta[row, h, a]


@kernel
def exchange(active_set, first_new, initial, decay, value):
    """Let the rows leave and enter that the active set says.

    Weights of rows from `first_new` on start at `initial`, in the last head.
    """
    sizes = active_set.sizes
    kept = sizes[NUM_ACTIVE] - sizes[NUM_ENTERED]
    last = kept + sizes[NUM_LEFT] - 1
    for k in range(sizes[NUM_LEFT]):
        leave(active_set.left[k, 1], active_set.left[k, 0], last - k, value)
    for k in range(sizes[NUM_ENTERED]):
        row = active_set.entered[k]
        if row >= first_new:
            value.theta[row, -1] = initial
        enter(row, kept + k, decay, value)


@kernel
def action_values(num_active, value):
    """Q_h(s, a) for each head and action: the column sums of the active table."""
    theta = value.active_theta
    q = np.zeros((theta.shape[1], theta.shape[2]))
    for slot in range(num_active):
        for h in range(theta.shape[1]):
            for a in range(theta.shape[2]):
                q[h, a] += theta[slot, h, a]
    return q


@kernel
def values_of(on, active_set, value):
    """Q_h(·) for each head and action of any rows, whether active or not; nothing changes."""
    q = np.zeros((value.theta.shape[1], value.theta.shape[2]))
    for row in on:
        slot, left_at = active_set.slot_of[row], value.left_at[row]
        for h in range(q.shape[0]):
            owed = value.owed[left_at, h] if left_at >= 0 else 0.0
            for a in range(q.shape[1]):
                if slot >= 0:
                    q[h, a] += value.active_theta[slot, h, a]
                else:
                    q[h, a] += value.theta[row, h, a] + owed * value.trace[row, a]
    return q


@kernel
def update(num_active, steps, decay, value):
    """θ += α δ e for every row, `steps` being α δ of each head: now if active, owed if not."""
    theta, trace, owed = value.active_theta, value.active_trace, value.owed
    for slot in range(num_active):
        for h in range(theta.shape[1]):
            step = theta.dtype.type(steps[h])
            for a in range(trace.shape[1]):
                theta[slot, h, a] += step * trace[slot, a]
    decision = value.sizes[DECISION]
    for h in range(owed.shape[1]):
        owed[decision, h] = 0.0
    factor, left_at = 1.0, decision
    while left_at >= 0 and factor > FORGOTTEN:
        for h in range(owed.shape[1]):
            owed[left_at, h] += steps[h] * factor
        factor *= decay
        left_at -= 1
    value.sizes[DECISION] = decision + 1


@kernel
def take(num_active, action, decay, value, q_taken):
    """Traces decay, those of the active features and the action are set to 1; Q_h(s, a) is kept."""
    theta, trace = value.active_theta, value.active_trace
    q_taken[:] = 0.0
    factor = trace.dtype.type(decay)
    for slot in range(num_active):
        for a in range(trace.shape[1]):
            trace[slot, a] *= factor
        trace[slot, action] = 1.0
        for h in range(theta.shape[1]):
            q_taken[h] += theta[slot, h, action]


@kernel
def end_episode(num_active, value):
    """Pay every row what it is owed, and clear all traces."""
    sizes = value.sizes
    for k in range(sizes[NUM_GONE]):
        row = value.gone[k]
        if value.left_at[row] >= 0:
            pay(row, value)
            value.left_at[row] = -1
    sizes[NUM_GONE] = 0
    sizes[DECISION] = 0
    sizes[EPISODE] += 1
    value.active_trace[:num_active] = 0.0
