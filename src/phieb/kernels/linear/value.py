"""Linear values with lazy replacing traces: a decision touches only the rows that enter or exit.

Time is counted in updates θ += α_k δ_k e of an episode. Between updates k − 1 and k an action is
taken: for the active features its trace is set to 1; all other traces decay by γλ.

*Inactive rows.* All traces of a row decay by the same factor. If a row exited before update s with
traces e, then by update t its weights have gained e·H_s, H_s = Σ_{k=s}^{t−1} α_k δ_k (γλ)^(k−s),
one number per update and head; its traces are e·(γλ)^(t−s).

*Active rows.* Once an action is taken, its trace is the same for all active rows. Let U_a be the
gain of a row that is active all the time, for action a. If a row entered before update s with
traces e, and action a is first taken before update j > s, then by update t it has gained

    e_a·H_s(j) + U_a(t) − U_a(j),    H_s(j) = H_s(t) − (γλ)^(j−s) H_j(t),

or e_a·H_s(t) if a was not taken. So rows are settled, that is, their pending gains are added, only
when they enter and when they exit. Q(s, ·), the sum over the active rows, is maintained together
with the sum of their traces: Q_a grows by α δ Σ_i e_{i,a}. At the end of an episode all rows are
settled and the sums are recomputed.
"""

import numpy as np

from phieb.kernels.linear.stays import decayed, stay_since
from phieb.kernels.linear.value_tables import (
    DECISION,
    EPISODE,
    FORGOTTEN,
    GONE_IN,
    NO_TRACES,
    NUM_EPISODES,
    NUM_GONE,
    NUM_STAYS,
    SINCE,
    START,
)
from phieb.kernels.numba_support.jit import inlined, inner, kernel
from phieb.kernels.numba_support.lanes import LANES, load, store
from phieb.kernels.numba_support.memory import prefetch_row
from phieb.kernels.sparse.active import FIRST_NEW, NUM_ENTERED, NUM_EXITED, active_rows

TOO_LARGE = 1e9  # weights and action values this large mean divergence
PREFETCH_AHEAD = 8  # rows


@inlined
def add_to(sums, k, lanes):
    """Add one SIMD vector to `sums[k:k+4]`."""
    store(sums, (k,), load(sums, (k,)) + lanes)


@inlined
def settle_inactive(row, factor, table, times, owed, sums):
    """Settle an inactive row, multiply its traces by `factor`, and add it to the sums."""
    since, heads = times[row, SINCE], owed.shape[1]
    stride = sums.size // (heads + 1)
    first = heads * stride
    for h in range(heads):
        amount = owed[since, h]
        for a in range(0, stride, LANES):
            k = h * stride + a
            weight = load(table, (row, k)) + load(table, (row, first + a)) * amount
            add_to(sums, k, store(table, (row, k), weight))
    for k in range(first, sums.size, LANES):
        add_to(sums, k, store(table, (row, k), load(table, (row, k)) * factor))


@inlined
def add_row(row, table, sums):
    """Add a settled row to the sums."""
    for k in range(0, sums.size, LANES):
        add_to(sums, k, load(table, (row, k)))


@inlined
def settle_active(row, place, stays, table, sums, heads):
    """Settle an active row and subtract it from the sums; `place` is that of its stay."""
    stride = sums.size // (heads + 1)
    first = heads * stride
    for h in range(heads + 1):  # traces last: the weights depend on their old values
        for a in range(0, stride, LANES):
            k = h * stride + a
            slope, offset = load(stays, (place, 0, k)), load(stays, (place, 1, k))
            gain = slope * load(table, (row, first + a)) + offset
            now = load(table, (row, k)) + gain if h < heads else gain
            store(sums, (k,), load(sums, (k,)) - now)
            store(table, (row, k), now)


@inlined
def deactivate(rows, value):
    """Settle rows (k,) that exit, and subtract them from the sums."""
    table, times, gone, sizes = value.table, value.times, value.gone, value.sizes
    stays, stay_times, sums, heads = value.stays, value.stay_times, value.sums, value.owed.shape[1]
    now, episode, num_gone = sizes[DECISION], sizes[EPISODE], sizes[NUM_GONE]
    for k in range(rows.size):
        if k + PREFETCH_AHEAD < rows.size:
            prefetch_row(table, rows[k + PREFETCH_AHEAD])
        row = rows[k]
        since = times[row, SINCE]
        place = (since + 1) % NUM_STAYS
        if stay_times[place, 0] != since or stay_times[place, 1] != now:
            stay_since(since, value)
        settle_active(row, place, stays, table, sums, heads)
        times[row, SINCE] = now
        if times[row, GONE_IN] != episode:
            times[row, GONE_IN] = episode
            gone[num_gone] = row
            num_gone += 1
    sizes[NUM_GONE] = num_gone


@inlined
def activate(rows, first_new, initial, value):
    """Settle rows (k,) that enter, and add them to the sums; those >= `first_new` are new."""
    table, times, owed, powers = value.table, value.times, value.owed, value.powers
    sums, now, actions = value.sums, value.sizes[DECISION], value.last.size
    last_head = sums.size // (owed.shape[1] + 1) * (owed.shape[1] - 1)
    for k in range(rows.size):
        if k + PREFETCH_AHEAD < rows.size:
            prefetch_row(table, rows[k + PREFETCH_AHEAD])
        row = rows[k]
        if row >= first_new:
            table[row, last_head : last_head + actions] = initial
            times[row, SINCE] = times[row, GONE_IN] = NO_TRACES
        if times[row, SINCE] == NO_TRACES:
            add_row(row, table, sums)
        else:
            factor = decayed(now - times[row, SINCE], powers)
            settle_inactive(row, factor, table, times, owed, sums)
        times[row, SINCE] = now


@inlined
def apply_changes(initial, active_set, value):
    """Deactivate the rows that exited and activate those that entered the active set.

    In the last head, weights of new rows start at `initial`.
    """
    sizes = active_set.sizes
    deactivate(active_set.exited[: sizes[NUM_EXITED]], value)
    activate(active_set.entered[: sizes[NUM_ENTERED]], sizes[FIRST_NEW], initial, value)


@inlined
def accumulate_h(value):
    """Add α δ (γλ)^k to H of k updates ago, for all k with a non-negligible power."""
    owed, fading, powers, heads = value.owed, value.fading, value.powers, value.owed.shape[1]
    flat, steps = owed.reshape(owed.size), load(value.lane_steps, (0,))
    place, power = (value.sizes[DECISION] + 1) * heads - LANES, fading.size - LANES
    while place >= 0 and power >= 0:
        store(flat, (place,), load(flat, (place,)) + load(fading, (power,)) * steps)
        place -= LANES
        power -= LANES
    past = (place + LANES) // heads - 1  # the latest time not yet done
    factor = decayed(value.sizes[DECISION] - past, powers)
    while past >= 0 and factor > FORGOTTEN:
        for h in range(heads):
            owed[past, h] += value.lane_steps[h] * factor
        factor *= powers[1]
        past -= 1


@inlined
def update(steps, value):
    """θ += α δ e for every row; `steps` is (head,), α δ."""
    owed, always, sums, sizes = value.owed, value.always, value.sums, value.sizes
    heads = owed.shape[1]
    stride = sums.size // (heads + 1)
    for h in range(heads):
        for a in range(0, stride, LANES):
            k, trace = h * stride + a, heads * stride + a
            add_to(sums, k, load(sums, (trace,)) * steps[h])
            add_to(always, k, load(always, (trace,)) * steps[h])
    for lane in range(LANES):
        value.lane_steps[lane] = steps[lane % heads]
    accumulate_h(value)
    sizes[DECISION] += 1
    owed[sizes[DECISION], :] = 0.0  # a row that exits now has gained nothing since


@inlined
def set_traces(num_active, action, value):
    """Decay all traces by γλ, then set those of the active features and the action to 1."""
    always, sums, now, heads = value.always, value.sums, value.sizes[DECISION], value.path.shape[1]
    stride, decay = sums.size // (heads + 1), value.powers[1]
    first = heads * stride
    for k in range(first, sums.size):
        sums[k] *= decay
        always[k] *= decay
    sums[first + action] = num_active
    always[first + action] = 1.0
    for h in range(heads):
        value.path[now, h] = always[h * stride + action]
    value.taken[now] = action
    value.last[action] = now


@inner
def clear_traces(on, value):
    """Settle all rows, set all traces to 0, recompute the sums; `on` is (k,), the active rows."""
    table, times, gone, sizes, sums = value.table, value.times, value.gone, value.sizes, value.sums
    stays, owed, heads = value.stays, value.owed, value.owed.shape[1]
    for row in on:
        settle_active(row, stay_since(times[row, SINCE], value), stays, table, sums, heads)
        times[row, SINCE] = START
    for k in range(sizes[NUM_GONE]):
        row = gone[k]
        if times[row, SINCE] >= 0:
            settle_inactive(row, 0.0, table, times, owed, sums)
            times[row, SINCE] = NO_TRACES
    sums[:] = 0.0
    for row in on:
        table[row, sums.size // (heads + 1) * heads : sums.size] = 0.0
        add_row(row, table, sums)
    sizes[NUM_GONE] = 0
    sizes[DECISION] = 0
    sizes[EPISODE] = (sizes[EPISODE] + 1) % NUM_EPISODES
    owed[0, :] = 0.0
    value.last[:] = START
    value.always[:] = 0.0
    value.stay_times[:] = START - 1


@kernel
def values_of(on, active_set, value):
    """(head, action): Q_h(s, ·) of the features in rows `on`, active or not; learns nothing."""
    table, times, owed, stays = value.table, value.times, value.owed, value.stays
    heads, actions = owed.shape[1], value.last.size
    stride = value.sums.size // (heads + 1)
    q, is_on = np.zeros((heads, actions)), value.marks
    for row in active_rows(active_set):
        is_on[row] = True
    for row in on:
        since = times[row, SINCE]
        place = stay_since(since, value) if is_on[row] else 0
        for h in range(heads):
            amount = owed[since, h] if not is_on[row] and since != NO_TRACES else 0.0
            for a in range(actions):
                k, trace = h * stride + a, table[row, heads * stride + a]
                slope = stays[place, 0, k] if is_on[row] else amount
                offset = stays[place, 1, k] if is_on[row] else 0.0
                q[h, a] += table[row, k] + slope * trace + offset
    for row in active_rows(active_set):
        is_on[row] = False
    return q
