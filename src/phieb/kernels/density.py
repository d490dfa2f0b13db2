"""The visit-density over many features at a cost that does not depend on how many there are.

A feature that is off has the factor ρ_i(0) = (t − N_i + ½)/(t + 1) (KT). Around a reference time T,
with u_i = T + ½ − N_i and τ = t − T, the sum of their logarithms over a set of features is

    Σ log ρ_i(0) = Σ log(u_i/(T + 1)) + Σ_k (−1)^(k+1)/k · τ^k · S_k − n·log((t + 1)/(T + 1)),

with S_k = Σ u_i^(−k) over the n features of the set. Eight such sums, kept up as counts change,
are exact to rounding as long as τ is at most 2 % of T and N_i at most half of it. The few features
above that, the frequent ones, are summed one by one. When t has grown by 2 %, T is set to t and all
is summed anew.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.jit import kernel

TERMS = 8
GROWTH = 0.02
EARLY = 64  # before this time all features are summed one by one
T, REFERENCE, NUM_FEATURES, NUM_RARE, NUM_FREQUENT = range(5)  # places in `clock`
LOGS, FIRST_POWER = 0, 1  # places in `sums`: Σ log(u/(T + 1)), then S_1, S_2, …


class Counts(NamedTuple):
    """How often each feature was on, and the sums over all of them as if all were off."""

    counts: NDArray[np.int64]  # N_i, by row
    clock: NDArray[np.int64]  # t, the reference time, how many features, rare ones, frequent ones
    sums: NDArray[np.float64]  # over the rare features
    frequent: NDArray[np.int64]  # rows of the frequent features, the first clock[4]
    is_on: NDArray[np.bool_]  # by row, all False between calls


def new_counts(capacity: int) -> Counts:
    """Nothing observed yet, and room for so many features."""
    return Counts(
        np.zeros(capacity, np.int64),
        np.zeros(5, np.int64),
        np.zeros(FIRST_POWER + TERMS),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.bool_),
    )


def with_room(density: Counts, num_features: int) -> Counts:
    """The same, with room for so many features: doubled when too small."""
    size = density.counts.size
    if num_features <= size:
        return density
    larger = new_counts(max(num_features, 2 * size))
    larger.counts[:size] = density.counts
    larger.frequent[:size] = density.frequent
    return larger._replace(clock=density.clock, sums=density.sums)


@kernel
def log_ratio(part, whole):
    """log(part/whole), also where the two are nearly the same: N̂ depends on the last digits."""
    return np.log1p((part - whole) / whole) if 2.0 * part > whole else np.log(part / whole)


@kernel
def one_factor(n, t):
    """Log of a KT factor whose value was seen n times in t, and what seeing it again adds."""
    return log_ratio(n + 0.5, t + 1.0), np.log1p((t - n + 0.5) / ((n + 0.5) * (t + 2.0)))


@kernel
def is_rare(n, clock):
    """Whether a feature that was on n times is in the sums."""
    return clock[REFERENCE] >= EARLY and 2 * n <= clock[REFERENCE]


@kernel
def add_rare(n, clock, sums, sign):
    """Put a rare feature into the sums (sign 1) or take it out (sign −1)."""
    u = clock[REFERENCE] + 0.5 - n
    sums[LOGS] += sign * log_ratio(u, clock[REFERENCE] + 1.0)
    power = sign
    for k in range(TERMS):
        power /= u
        sums[FIRST_POWER + k] += power
    clock[NUM_RARE] += np.int64(sign)


@kernel
def add_feature(row, counts, clock, sums, frequent):
    """Put a feature where its count belongs."""
    if is_rare(counts[row], clock):
        add_rare(counts[row], clock, sums, 1.0)
    else:
        frequent[clock[NUM_FREQUENT]] = row
        clock[NUM_FREQUENT] += 1


@kernel
def refer_to_now(counts, clock, sums, frequent):
    """Make the time as it is the reference time, and sum anew."""
    clock[REFERENCE] = clock[T]
    clock[NUM_RARE] = 0
    clock[NUM_FREQUENT] = 0
    sums[:] = 0.0
    for row in range(clock[NUM_FEATURES]):
        add_feature(row, counts, clock, sums, frequent)


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
def density_and_gain(on, density):
    """Log ρ_t of the vector in which the rows `on` are on, and L = log ρ′_t − log ρ_t."""
    counts, clock, frequent, is_on = density.counts, density.clock, density.frequent, density.is_on
    t = clock[T]
    log_rho, gain = rare_off(clock, density.sums)
    for row in on:
        is_on[row] = True
        part, more = one_factor(counts[row], t)
        log_rho += part
        gain += more
        if is_rare(counts[row], clock):  # it is in the sums, as if off
            part, more = one_factor(t - counts[row], t)
            log_rho -= part
            gain -= more
    for k in range(clock[NUM_FREQUENT]):
        if not is_on[frequent[k]]:
            part, more = one_factor(t - counts[frequent[k]], t)
            log_rho += part
            gain += more
    for row in on:
        is_on[row] = False
    return log_rho, gain


@kernel
def observe(on, num_features, density):
    """Algorithm 1's "ρ_t, update": log ρ_t and L of the rows `on`, which are then counted.

    Rows from the number of features so far up to `num_features` are new.
    """
    counts, clock, sums, frequent = density.counts, density.clock, density.sums, density.frequent
    for row in range(clock[NUM_FEATURES], num_features):
        add_feature(row, counts, clock, sums, frequent)
    clock[NUM_FEATURES] = num_features
    log_rho, gain = density_and_gain(on, density)
    for row in on:
        rare = is_rare(counts[row], clock)
        if rare:
            add_rare(counts[row], clock, sums, -1.0)
        counts[row] += 1
        if rare:
            add_feature(row, counts, clock, sums, frequent)
    clock[T] += 1
    # The series must hold one observation further: that is where the gain ends.
    if clock[T] + 1 - clock[REFERENCE] > GROWTH * clock[REFERENCE]:
        refer_to_now(counts, clock, sums, frequent)
    return log_rho, gain
