"""True online Sarsa(λ): dutch traces and their update.

`traced` lists the rows with a trace that is not negligible; only those are updated.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.linear.value_tables import FORGOTTEN
from phieb.kernels.numba_support.jit import kernel


class Weights(NamedTuple):
    """Weights and traces of all rows."""

    theta: NDArray[np.float64]  # (head, row, action)
    trace: NDArray[np.float64]  # (row, action)
    traced: NDArray[np.int64]  # (row,): rows with traces, the first num_traced[0]
    is_traced: NDArray[np.bool_]  # (row,)
    num_traced: NDArray[np.int64]  # (1,)


def new_weights(heads: int, rows: int, actions: int) -> Weights:
    """All zero, with capacity for so many rows."""
    return Weights(
        np.zeros((heads, rows, actions)),
        np.zeros((rows, actions)),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.bool_),
        np.zeros(1, np.int64),
    )


def with_capacity(old: Weights, rows: int) -> Weights:
    """The same, with capacity for so many rows."""
    heads, capacity, actions = old.theta.shape
    if rows <= capacity:
        return old
    new: Any = new_weights(heads, rows, actions)._replace(num_traced=old.num_traced)
    new.theta[:, :capacity], new.trace[:capacity] = old.theta, old.trace
    new.traced[:capacity], new.is_traced[:capacity] = old.traced, old.is_traced
    grown: Weights = new
    return grown


@kernel
def values_of(rows, weights):
    """(head, action): Q_h(s, ·) of the active rows (k,)."""
    q = np.zeros((weights.theta.shape[0], weights.theta.shape[2]))
    for h in range(q.shape[0]):
        for row in rows:
            q[h] += weights.theta[h, row]
    return q


@kernel
def set_traces(rows, action, decay, rate, weights):
    """E ← γλe + (1 − αγλ eᵀφ)φ, with φ(s, a) given by the active `rows` (k,) and the action."""
    trace, traced, is_traced, num_traced = weights[1:]
    dot = 0.0
    for row in rows:
        dot += trace[row, action]
    kept = 0
    for k in range(num_traced[0]):
        row = traced[k]
        trace[row] *= decay
        is_traced[row] = np.abs(trace[row]).max() > FORGOTTEN
        if is_traced[row]:
            traced[kept] = row
            kept += 1
        else:
            trace[row] = 0.0
    for row in rows:
        if not is_traced[row]:
            is_traced[row] = True
            traced[kept] = row
            kept += 1
        trace[row, action] += 1.0 - rate * decay * dot
    num_traced[0] = kept


@kernel
def update(rows, action, steps, corrections, weights):
    """θ += step·e − correction·φ for each head; `steps` and `corrections` are (head,)."""
    theta, trace, traced, _, num_traced = weights
    for h in range(steps.size):
        for k in range(num_traced[0]):
            theta[h, traced[k]] += steps[h] * trace[traced[k]]
        for row in rows:
            theta[h, row, action] -= corrections[h]
