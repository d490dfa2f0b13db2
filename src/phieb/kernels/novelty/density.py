"""The log visit-density of many features, at a cost that depends on how many switched.

A feature whose current value, on or off, was seen m times in t has the KT factor (m + ½)/(t + 1).
Seeing the value once more adds to its logarithm

    L = log(1 + 1/(m + ½)) − log(1 + 1/(t + 1)).

While a feature keeps its value, c = t − m does not change: c counts the *other* value. When the
feature switches, c becomes t − c.

Most features are *usual*: they have the value that they have most of the time. Around a reference
time T, with u = T + ½ − c, v = T + 1 and τ = t − T, the sum over the usual features is

    Σ log((m + ½)/(t + 1)) = Σ log(u/v) + Σ_k (−1)^(k+1)/k · τ^k · D_k,   D_k = Σ (u^(−k) − v^(−k)),

and the same with τ + 1 after one more observation. Eight sums D_k, updated as features switch, give
eleven exact digits while τ is at most 2 % of T and c at most half of T. The unusual features, with
a larger c, are summed one by one. When t has grown by 2 %, T is set to t and the sums are
recomputed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined, inner, kernel
from phieb.kernels.numba_support.lanes import LANES, load, padded, splat, store, total
from phieb.kernels.sparse.active import FIRST_NEW, NUM_ENTERED, NUM_EXITED, active_rows

TERMS = 8
GROWTH = 0.02
EARLY = 64  # before this time all features are summed one by one
T, REFERENCE, NUM_USUAL, NUM_UNUSUAL = range(4)  # indices of `clock`
LOGS, FIRST_POWER = 0, 1  # indices of `sums`: Σ log(u/v), then D_1, D_2, …
OTHER, PLACE = range(2)  # columns of `features`
OUT, IN, OVER_U, FIRST, DIFFERENCE = range(5)  # rows of `batch`
BATCH = 512  # features added to the sums at a time
FACTORS = 512  # factors, each at most 3, multiplied at a time; 3^512 does not overflow
LEAST_EXPONENT = 1_000  # products of factors ρ_i stay above 2^(−1,000)


class Counts(NamedTuple):
    """How often each feature had the other value, and the sums over the usual features."""

    features: NDArray[np.int64]  # (row, 2): c, and the index in `unusual` of an unusual feature
    unusual: NDArray[np.int64]  # (row,): rows of unusual features, the first clock[NUM_UNUSUAL]
    others: NDArray[np.float64]  # (row + 4,): their c; the end is padding for SIMD
    clock: NDArray[np.int64]  # (4,): t, T, and the numbers of usual and unusual features
    sums: NDArray[np.float64]  # (9,): over the usual features
    batch: NDArray[np.float64]  # scratch (5, 512): features to remove from and add to the sums
    differs: NDArray[np.bool_]  # scratch (row,): all False between calls


def new_counts(rows: int) -> Counts:
    """Nothing observed yet, with capacity for so many rows."""
    return Counts(
        np.zeros((rows, 2), np.int64),
        np.zeros(rows, np.int64),
        np.zeros(rows + LANES),
        np.zeros(4, np.int64),
        np.zeros(FIRST_POWER + TERMS),
        np.zeros((5, BATCH)),
        np.zeros(rows, np.bool_),
    )


def with_capacity(old: Counts, rows: int) -> Counts:
    """The same, with capacity for so many rows."""
    capacity = old.features.shape[0]
    if rows <= capacity:
        return old
    new = new_counts(rows)
    new.features[:capacity], new.unusual[:capacity] = old.features, old.unusual
    new.others[:capacity] = old.others[:capacity]
    return new._replace(clock=old.clock, sums=old.sums)


@inner
def log_ratio(part, whole):
    """log(part/whole), accurate also if the two are nearly equal."""
    return np.log1p((part - whole) / whole) if 2.0 * part > whole else np.log(part / whole)


@kernel
def one_factor(m, t):
    """The log of a KT factor whose value was seen m times in t, and its gain L."""
    return log_ratio(m + 0.5, t + 1.0), np.log1p((t - m + 0.5) / ((m + 0.5) * (t + 2.0)))


@kernel
def first_sight_log_ratio(first_sight, t):
    """Log of (first_sight/(t + 1)) over KT's ½/(t + 1), of a feature first on after t."""
    return np.log(2.0 * min(first_sight, t + 1.0))


@inlined
def is_usual(c, clock):
    """Whether a feature that had the other value c times is usual, and so in the sums."""
    return clock[REFERENCE] >= EARLY and 2 * c <= clock[REFERENCE]


@inlined
def logs_of_all(y, scratch):
    """Σ log(1 + x) over many x, given 1 + y = Π (1 + x) in each SIMD lane of `y`.

    The update y ← y + x(1 + y) loses no digits, even if all x are small.
    """
    store(scratch, (0,), y)
    logs = 0.0
    for lane in range(LANES):
        logs += np.log1p(scratch[lane])
    return logs


@inner
def add_batch(sign, count, others, batch, clock, sums):
    """Add usual features to the sums (sign 1) or remove them (−1), given their c in `others`.

    u^(−k−1) − v^(−k−1) = (u^(−k) − v^(−k))/u + v^(−k)(1/u − 1/v): no digits are lost.
    """
    over_u, first, difference = batch[OVER_U], batch[FIRST], batch[DIFFERENCE]
    reference, v, size = clock[REFERENCE] + 0.5, clock[REFERENCE] + 1.0, padded(count)
    others[count:size] = -0.5  # padding: u = v, so that all terms are 0
    y, power = splat(0.0), sign
    for j in range(0, size, LANES):
        c = load(others, (j,))
        inverse = splat(1.0) / (splat(reference) - c)
        x = (c + 0.5) * inverse  # v/u − 1
        y = y + x * (y + 1.0)
        store(over_u, (j,), inverse)
        store(first, (j,), x / v)
        store(difference, (j,), splat(0.0))
    for k in range(TERMS):
        added = splat(0.0)
        for j in range(0, size, LANES):
            term = load(difference, (j,)) * load(over_u, (j,)) + load(first, (j,)) * power
            added = added + store(difference, (j,), term)
        sums[FIRST_POWER + k] += total(added)
        power /= v
    sums[LOGS] -= sign * logs_of_all(y, first)
    clock[NUM_USUAL] += int(sign) * count


@inlined
def put(row, c, num_unusual, features, unusual, others):
    """Append a feature to the unusual ones."""
    unusual[num_unusual], others[num_unusual] = row, c
    features[row, PLACE] = num_unusual


@inlined
def take_out(row, num_unusual, features, unusual, others):
    """Remove a feature from the unusual ones; the last takes its place."""
    last, place = num_unusual - 1, features[row, PLACE]
    unusual[place], others[place] = unusual[last], others[last]
    features[unusual[place], PLACE] = place


@inner
def switch(rows, first_new, density):
    """Switch the features in `rows` (k,); those >= `first_new` are on for the first time."""
    features, unusual, others, clock, sums, batch, _ = density
    t, num_unusual, num_out, num_in = clock[T], clock[NUM_UNUSUAL], 0, 0
    for row in rows:
        before = features[row, OTHER]
        c = t if row >= first_new else t - before
        features[row, OTHER] = c
        if row < first_new:
            if is_usual(before, clock):
                batch[OUT, num_out] = before
                num_out += 1
            else:
                take_out(row, num_unusual, features, unusual, others)
                num_unusual -= 1
        if is_usual(c, clock):
            batch[IN, num_in] = c
            num_in += 1
        else:
            put(row, c, num_unusual, features, unusual, others)
            num_unusual += 1
        if max(num_out, num_in) == BATCH:
            add_batch(-1.0, num_out, batch[OUT], batch, clock, sums)
            add_batch(1.0, num_in, batch[IN], batch, clock, sums)
            num_out = num_in = 0
    add_batch(-1.0, num_out, batch[OUT], batch, clock, sums)
    add_batch(1.0, num_in, batch[IN], batch, clock, sums)
    clock[NUM_UNUSUAL] = num_unusual


@kernel
def refer_to_now(num_rows, density):
    """Set the reference time to t and recompute the sums."""
    features, unusual, others, clock, sums, batch, _ = density
    clock[REFERENCE] = clock[T]
    clock[NUM_USUAL] = clock[NUM_UNUSUAL] = 0
    sums[:] = 0.0
    num_in = 0
    for row in range(num_rows):
        c = features[row, OTHER]
        if is_usual(c, clock):
            batch[IN, num_in] = c
            num_in += 1
        else:
            put(row, c, clock[NUM_UNUSUAL], features, unusual, others)
            clock[NUM_UNUSUAL] += 1
        if num_in == BATCH:
            add_batch(1.0, num_in, batch[IN], batch, clock, sums)
            num_in = 0
    add_batch(1.0, num_in, batch[IN], batch, clock, sums)


@inner
def unusual_sums(density):
    """Log ρ_t of the unusual features, and the gain of one more observation.

    As many factors are multiplied per logarithm as neither underflow nor overflow.
    """
    others, scratch, t = density.others, density.batch[FIRST], density.clock[T]
    count, log_rho, gain = density.clock[NUM_UNUSUAL], 0.0, 0.0
    size, share = padded(count), 1.0 / (t + 1.0)
    others[count:size] = -0.5  # padding: the factor is 1, before and after
    length = LANES * min(FACTORS, int(LEAST_EXPONENT / np.log2(2.0 * t + 2.0)))
    for begin in range(0, size, length):
        rho, grown = splat(1.0), splat(0.0)
        for k in range(begin, min(begin + length, size), LANES):
            seen = splat(t + 0.5) - load(others, (k,))  # m + ½
            rho = rho * (seen * share)
            x = splat(1.0) / seen
            grown = grown + x * (grown + 1.0)
        gain += logs_of_all(grown, scratch)
        store(scratch, (0,), rho)
        for lane in range(LANES):
            log_rho += np.log(scratch[lane])
    return log_rho, gain - size * np.log1p(share)


@inner
def usual_sums(clock, sums):
    """Log ρ_t of the usual features, and the gain of one more observation."""
    tau = float(clock[T] - clock[REFERENCE])
    log_rho, gain = sums[LOGS], 0.0
    power, power_after, sign = 1.0, 1.0, 1.0
    for k in range(TERMS):
        power *= tau
        power_after *= tau + 1.0
        term = sign * sums[FIRST_POWER + k] / (k + 1)
        log_rho += term * power
        gain += term * (power_after - power)
        sign = -sign
    return log_rho, gain


@kernel
def log_density_and_gain(density):
    """Log ρ_t and L of the current feature vector."""
    log_rho, gain = usual_sums(density.clock, density.sums)
    unusual, unusual_gain = unusual_sums(density)
    return log_rho + unusual, gain + unusual_gain


@kernel
def observe(num_rows, active_set, density):
    """Log ρ_t(φ) and L of the active set φ, which is then counted (Algorithm 1: ρ_t, update)."""
    clock, sizes = density.clock, active_set.sizes
    switch(active_set.exited[: sizes[NUM_EXITED]], num_rows, density)
    switch(active_set.entered[: sizes[NUM_ENTERED]], sizes[FIRST_NEW], density)
    log_rho, gain = log_density_and_gain(density)
    clock[T] += 1
    # The gain needs the series one observation further.
    if clock[T] + 1 - clock[REFERENCE] > GROWTH * clock[REFERENCE]:
        refer_to_now(num_rows, density)
    return log_rho, gain


@kernel
def peek(on, active_set, density):
    """Log ρ_t and L of the vector with only the rows `on` (k,) active; nothing is counted."""
    features, t, differs = density.features, density.clock[T], density.differs
    on_now = active_rows(active_set)
    for row in on_now:
        differs[row] = True
    for row in on:
        differs[row] = not differs[row]
    log_rho, gain = log_density_and_gain(density)
    for rows in (on, on_now):
        for row in rows:
            if differs[row]:
                before, before_gain = one_factor(t - features[row, OTHER], t)
                after, after_gain = one_factor(features[row, OTHER], t)
                log_rho += after - before
                gain += after_gain - before_gain
                differs[row] = False
    return log_rho, gain
