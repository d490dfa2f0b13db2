"""What a row of the table gains in one stay in the active set (see `value`)."""

import numpy as np

from phieb.kernels.linear.value_tables import DECISION, NUM_STAYS, START
from phieb.kernels.numba_support.jit import inlined, inner


@inlined
def decayed(steps, powers):
    """(γλ)^steps."""
    return powers[steps] if steps < powers.size else powers[1] ** steps


@inner
def first_taken(since, value):
    """(action,): when each action was first taken after `since`; START if it was not."""
    last, taken = value.last, value.taken
    first, missing, time = np.full(last.size, START), 0, since + 1
    for a in range(last.size):
        missing += last[a] > since
    while missing > 0:
        if first[taken[time]] == START:
            first[taken[time]] = time
            missing -= 1
        time += 1
    return first


@inner
def write_stay(since, value, slope, offset):
    """Write the gain of a row active from `since` until now: (old trace) · slope + offset.

    `slope` and `offset` are (column,). In the columns of the traces, the result is the new trace.
    """
    owed, path, always, powers = value.owed, value.path, value.always, value.powers
    now, heads, first = value.sizes[DECISION], owed.shape[1], first_taken(since, value)
    stride = always.size // (heads + 1)
    slope[:] = 0.0
    offset[:] = 0.0
    for a in range(first.size):
        trace, is_taken = heads * stride + a, first[a] != START
        if is_taken:
            offset[trace] = always[trace]
        elif since != START:
            slope[trace] = decayed(now - since, powers)
        for h in range(heads):
            k = h * stride + a
            if is_taken:
                offset[k] = always[k] - path[first[a], h]
            if since != START:  # a row active at the start had no traces
                slope[k] = owed[since, h]
            if since != START and is_taken:
                slope[k] -= decayed(first[a] - since, powers) * owed[first[a], h]


@inner
def stay_since(since, value):
    """The index of this stay in `stays`, a cache: rows that exit together often entered so."""
    now, place = value.sizes[DECISION], (since + 1) % NUM_STAYS
    if value.stay_times[place, 0] != since or value.stay_times[place, 1] != now:
        write_stay(since, value, value.stays[place, 0], value.stays[place, 1])
        value.stay_times[place, 0], value.stay_times[place, 1] = since, now
    return place
