"""The visit-density over many features at a cost that does not depend on how many there are.

A feature that is off has the factor ρ_i(0) = (t − N_i + ½)/(t + 1) (KT). Around a reference time T,
with u_i = T + ½ − N_i and τ = t − T, the sum of their logarithms over a set of features is

    Σ log ρ_i(0) = Σ log(u_i/(T + 1)) + Σ_k (−1)^(k+1)/k · τ^k · S_k − n·log((t + 1)/(T + 1)),

with S_k = Σ u_i^(−k) over the n features of the set. Eight such sums over the features that are
off, kept up as features enter and leave, are exact to rounding as long as τ is at most 2 % of T and
N_i at most half of it. The few features above that, the frequent ones, are summed one by one. When
t has grown by 2 %, T is set to t and all is summed anew.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.active import FIRST_NEW, NUM_ACTIVE, NUM_ENTERED, NUM_LEFT
from phieb.kernels.jit import kernel

TERMS = 8
GROWTH = 0.02
EARLY = 64  # before this time all features are summed one by one
T, REFERENCE, NUM_RARE, NUM_FREQUENT = range(4)  # places in `clock`
LOGS, FIRST_POWER = 0, 1  # places in `sums`: Σ log(u/(T + 1)), then S_1, S_2, …
SMALL = 1e-3  # below it, six terms of the series of log(1 + x) are exact to rounding


class Counts(NamedTuple):
    """How often each feature was on, and the sums over those that are off."""

    counts: NDArray[np.int64]  # (row,): N_i, while the row is off
    live: NDArray[np.int64]  # (slot,): N_i of the row that is active there
    clock: NDArray[np.int64]  # t, the reference time, and how many are off and rare, or frequent
    sums: NDArray[np.float64]  # over the features that are off and rare
    frequent: NDArray[np.int64]  # rows that are off and frequent, the first clock[NUM_FREQUENT]
    place: NDArray[np.int64]  # (row,): where in `frequent` it is


def new_counts(rows: int, slots: int) -> Counts:
    """Nothing observed yet, and room for so many rows and slots."""
    return Counts(
        np.zeros(rows, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(4, np.int64),
        np.zeros(FIRST_POWER + TERMS),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int64),
    )


def with_room(old: Counts, rows: int, slots: int) -> Counts:
    """The same, with room for so many rows and slots."""
    if rows <= old.counts.size and slots <= old.live.size:
        return old
    new = new_counts(max(rows, old.counts.size), max(slots, old.live.size))
    for name in ("counts", "live", "frequent", "place"):
        part = getattr(old, name)
        getattr(new, name)[: part.size] = part
    return new._replace(clock=old.clock, sums=old.sums)


@kernel
def log_ratio(part, whole):
    """log(part/whole), also where the two are nearly the same: N̂ depends on the last digits."""
    return np.log1p((part - whole) / whole) if 2.0 * part > whole else np.log(part / whole)


@kernel
def gain_of(n, t):
    """What seeing a value again adds to the log of its KT factor, after n times in t."""
    x = (t - n + 0.5) / ((n + 0.5) * (t + 2.0))
    if x > SMALL:
        return np.log1p(x)
    return x * (1 - x * (1 / 2 - x * (1 / 3 - x * (1 / 4 - x * (1 / 5 - x / 6)))))


@kernel
def one_factor(n, t):
    """Log of a KT factor whose value was seen n times in t, and what seeing it again adds."""
    return log_ratio(n + 0.5, t + 1.0), gain_of(n, t)


@kernel
def head_start(first_sight, t):
    """What log ρ of a feature first on after t observations has over KT's log(½/(t + 1))."""
    return np.log(2.0 * min(first_sight, t + 1.0))


@kernel
def is_rare(n, clock):
    """Whether a feature that was on n times is in the sums while it is off."""
    return clock[REFERENCE] >= EARLY and 2 * n <= clock[REFERENCE]


@kernel
def add_rare(n, clock, sums, sign):
    """Put a rare feature into the sums (sign 1) or take it out (sign −1)."""
    u = clock[REFERENCE] + 0.5 - n
    sums[LOGS] += sign * log_ratio(u, clock[REFERENCE] + 1.0)
    inverse = 1.0 / u
    power = float(sign)
    for k in range(TERMS):
        power *= inverse
        sums[FIRST_POWER + k] += power
    clock[NUM_RARE] += sign


@kernel
def turn_off(row, counts, clock, sums, frequent, place):
    """From now on the feature is off."""
    if is_rare(counts[row], clock):
        add_rare(counts[row], clock, sums, 1)
    else:
        frequent[clock[NUM_FREQUENT]] = row
        place[row] = clock[NUM_FREQUENT]
        clock[NUM_FREQUENT] += 1


@kernel
def turn_on(row, counts, clock, sums, frequent, place):
    """From now on the feature is on."""
    if is_rare(counts[row], clock):
        add_rare(counts[row], clock, sums, -1)
    else:
        clock[NUM_FREQUENT] -= 1
        last = frequent[clock[NUM_FREQUENT]]
        frequent[place[row]] = last
        place[last] = place[row]


@kernel
def exchange(active_set, density):
    """Let the rows leave and enter that the active set says."""
    counts, live, clock, sums, frequent, place = density
    sizes, left, entered = active_set.sizes, active_set.left, active_set.entered
    kept = sizes[NUM_ACTIVE] - sizes[NUM_ENTERED]
    last = kept + sizes[NUM_LEFT] - 1
    for k in range(sizes[NUM_LEFT]):
        slot, row = left[k, 0], left[k, 1]
        counts[row] = live[slot]
        live[slot] = live[last - k]
        turn_off(row, counts, clock, sums, frequent, place)
    for k in range(sizes[NUM_ENTERED]):
        row = entered[k]
        live[kept + k] = counts[row]
        if row < sizes[FIRST_NEW]:
            turn_on(row, counts, clock, sums, frequent, place)


@kernel
def refer_to_now(num_rows, slot_of, density):
    """Make the time as it is the reference time, and sum anew."""
    counts, _, clock, sums, frequent, place = density
    clock[REFERENCE] = clock[T]
    clock[NUM_RARE] = clock[NUM_FREQUENT] = 0
    sums[:] = 0.0
    for row in range(num_rows):
        if slot_of[row] < 0:
            turn_off(row, counts, clock, sums, frequent, place)


@kernel
def rare_off(clock, sums):
    """Σ log ρ_i(0) over the rare features at time t, and what one more observation adds to it."""
    t, tau = clock[T], float(clock[T] - clock[REFERENCE])
    log_rho, gain = sums[LOGS], 0.0
    power, power_after, sign = 1.0, 1.0, 1.0
    for k in range(TERMS):
        power *= tau
        power_after *= tau + 1.0
        term = sign * sums[FIRST_POWER + k] / (k + 1)
        log_rho += term * power
        gain += term * (power_after - power)
        sign = -sign
    log_rho -= clock[NUM_RARE] * np.log1p(tau / (clock[REFERENCE] + 1.0))
    return log_rho, gain - clock[NUM_RARE] * np.log1p(1.0 / (t + 1.0))


@kernel
def all_off(density):
    """Log ρ_t and L of the features that are off."""
    counts, clock, frequent = density.counts, density.clock, density.frequent
    log_rho, gain = rare_off(clock, density.sums)
    for k in range(clock[NUM_FREQUENT]):
        part, more = one_factor(clock[T] - counts[frequent[k]], clock[T])
        log_rho += part
        gain += more
    return log_rho, gain


@kernel
def observe(num_rows, floor, active_set, density):
    """Algorithm 1's "ρ_t, update": log ρ_t and L of what is on, which is then counted.

    Log ρ_t is exact unless log ρ′_t is below `floor`: who needs no smaller ones is spared their
    logarithms.
    """
    exchange(active_set, density)
    live, clock = density.live, density.clock
    num_active, t = active_set.sizes[NUM_ACTIVE], clock[T]
    log_rho, gain = all_off(density)
    for slot in range(num_active):
        gain += gain_of(live[slot], t)
    for slot in range(num_active - 1, -1, -1):  # from the last: those have entered lately
        if log_rho + gain < floor:
            break
        log_rho += log_ratio(live[slot] + 0.5, t + 1.0)
    for slot in range(num_active):
        live[slot] += 1
    clock[T] = t + 1
    # The series must hold one observation further: that is where the gain ends.
    if t + 2 - clock[REFERENCE] > GROWTH * clock[REFERENCE]:
        refer_to_now(num_rows, active_set.slot_of, density)
    return log_rho, gain


@kernel
def density_and_gain(on, active_set, density):
    """Log ρ_t and L of the vector in which only the rows `on` are on; nothing is counted."""
    counts, live, clock, sums, frequent, _ = density
    t, slot_of, is_on = clock[T], active_set.slot_of, np.zeros(counts.size, np.bool_)
    log_rho, gain = rare_off(clock, sums)
    for row in on:
        is_on[row] = True
        n = counts[row] if slot_of[row] < 0 else live[slot_of[row]]
        part, more = one_factor(n, t)
        log_rho += part
        gain += more
        if slot_of[row] < 0 and is_rare(n, clock):  # it is in the sums, as if off
            part, more = one_factor(t - n, t)
            log_rho -= part
            gain -= more
    for k in range(clock[NUM_FREQUENT] + active_set.sizes[NUM_ACTIVE]):
        slot = k - clock[NUM_FREQUENT]
        row = frequent[k] if slot < 0 else active_set.active[slot]
        if not is_on[row]:
            part, more = one_factor(t - (counts[row] if slot < 0 else live[slot]), t)
            log_rho += part
            gain += more
    return log_rho, gain
