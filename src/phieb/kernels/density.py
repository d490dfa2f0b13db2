"""The visit-density over many features at a cost that depends on how many changed.

A feature whose present value, on or off, was seen m times in t has the KT factor (m + ½)/(t + 1).
Seeing the value again adds to its logarithm

    L = log(1 + 1/(m + ½)) − log(1 + 1/(t + 1)).

While a feature keeps its value, c = t − m does not change: it is how often the *other* value was
seen, and when the feature switches, c becomes t − c.

Most features have the value that they mostly had. Around a reference time T, with u = T + ½ − c,
v = T + 1 and τ = t − T, their sum is

    Σ log((m + ½)/(t + 1)) = Σ log(u/v) + Σ_k (−1)^(k+1)/k · τ^k · D_k,   D_k = Σ (u^(−k) − v^(−k)),

and the same with τ + 1 after one more observation. Eight sums D_k, kept up as features switch, are
exact to eleven digits as long as τ is at most 2 % of T and c at most half of it. The unusual
features, with a larger c, are summed one by one. When t has grown by 2 %, T is set to t and all is
summed anew.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.active import FIRST_NEW, NUM_ENTERED, NUM_LEFT, rows_on
from phieb.kernels.jit import inlined, kernel

TERMS = 8
GROWTH = 0.02
EARLY = 64  # before this time all features are summed one by one
T, REFERENCE, NUM_USUAL, NUM_UNUSUAL = range(4)  # places in `clock`
LOGS, FIRST_POWER = 0, 1  # places in `sums`: Σ log(u/v), then D_1, D_2, …
OTHER, PLACE = range(2)  # columns of `features`
# Above that many, five terms of the series of log(1 + x) are exact to rounding.
SMALL_COUNTS = np.log1p(1.0 / (np.arange(2048) + 0.5))
BATCH = 512  # how many features are put into the sums at a time; 2^512 is still a number


class Counts(NamedTuple):
    """How often each feature had the other value, and the sums over those that are usual."""

    features: NDArray[np.int64]  # (row, 2): c, and where among the unusual it is
    unusual: NDArray[np.int64]  # (k, 2): c and row of those that are, the first clock[NUM_UNUSUAL]
    clock: NDArray[np.int64]
    sums: NDArray[np.float64]  # over the usual
    batch: NDArray[np.float64]  # scratch: features on their way into the sums or out
    differs: NDArray[np.bool_]  # scratch (row,): none, before and after


def new_counts(rows: int) -> Counts:
    """Nothing observed yet, and room for so many rows."""
    return Counts(
        np.zeros((rows, 2), np.int64),
        np.zeros((rows, 2), np.int64),
        np.zeros(4, np.int64),
        np.zeros(FIRST_POWER + TERMS),
        np.zeros((5, BATCH)),
        np.zeros(rows, np.bool_),
    )


def with_room(old: Counts, rows: int) -> Counts:
    """The same, with room for so many rows."""
    room = old.features.shape[0]
    if rows <= room:
        return old
    new = new_counts(rows)
    new.features[:room], new.unusual[:room] = old.features, old.unusual
    return new._replace(clock=old.clock, sums=old.sums)


@kernel
def log_ratio(part, whole):
    """log(part/whole), also where the two are nearly the same."""
    return np.log1p((part - whole) / whole) if 2.0 * part > whole else np.log(part / whole)


@inlined
def growth(m):
    """log(1 + 1/(m + ½))."""
    if m < SMALL_COUNTS.size:
        return SMALL_COUNTS[m]
    x = 1.0 / (m + 0.5)
    return x * (1 - x * (1 / 2 - x * (1 / 3 - x * (1 / 4 - x / 5))))


@kernel
def one_factor(m, t):
    """Log of a KT factor whose value was seen m times in t, and what seeing it again adds."""
    return log_ratio(m + 0.5, t + 1.0), np.log1p((t - m + 0.5) / ((m + 0.5) * (t + 2.0)))


@kernel
def head_start(first_sight, t):
    """What log ρ of a feature first on after t observations has over KT's log(½/(t + 1))."""
    return np.log(2.0 * min(first_sight, t + 1.0))


@inlined
def is_usual(c, clock):
    """Whether a feature that had the other value c times is in the sums."""
    return clock[REFERENCE] >= EARLY and 2 * c <= clock[REFERENCE]


@inlined
def total_of(numbers):
    """Their sum, in four sums side by side: one addition need not wait for the other."""
    a = b = c = d = 0.0
    last = numbers.size - numbers.size % 4
    for j in range(0, last, 4):
        a += numbers[j]
        b += numbers[j + 1]
        c += numbers[j + 2]
        d += numbers[j + 3]
    for j in range(last, numbers.size):
        a += numbers[j]
    return (a + b) + (c + d)


@kernel
def add_batch(count, batch, clock, sums):
    """Put usual features into the sums or take them out: the first `count` c, and 1 or −1.

    u^(−k−1) − v^(−k−1) = (u^(−k) − v^(−k))/u + v^(−k)(1/u − 1/v): no digits are lost.
    """
    others, signs, over_u, first, difference = batch[0], batch[1], batch[2], batch[3], batch[4]
    reference, v = clock[REFERENCE] + 0.5, clock[REFERENCE] + 1.0
    product, power = 1.0, 1.0
    for j in range(count):
        over_u[j] = 1.0 / (reference - others[j])
        first[j] = signs[j] * (others[j] + 0.5) * over_u[j] / v
        difference[j] = 0.0
    for k in range(TERMS):
        for j in range(count):
            difference[j] = difference[j] * over_u[j] + power * first[j]
        sums[FIRST_POWER + k] += total_of(difference[:count])
        power /= v
    for j in range(count):
        ratio = v * over_u[j]  # between 1 and 2
        product *= ratio if signs[j] < 0 else 1.0 / ratio
    sums[LOGS] += np.log(product)  # one logarithm for many
    clock[NUM_USUAL] += int(signs[:count].sum())


@inlined
def put(row, c, num_unusual, features, unusual):
    """Put a feature among the unusual."""
    unusual[num_unusual, 0], unusual[num_unusual, 1] = c, row
    features[row, PLACE] = num_unusual


@inlined
def take_out(row, num_unusual, features, unusual):
    """Take a feature from among the unusual; the last takes its place."""
    last, place = num_unusual - 1, features[row, PLACE]
    unusual[place, 0], unusual[place, 1] = unusual[last, 0], unusual[last, 1]
    features[unusual[place, 1], PLACE] = place


@kernel
def switch(rows, first_new, density):
    """These features switch; those from row `first_new` on are on for the first time."""
    features, unusual, clock, sums, batch, _ = density
    t, num_unusual, count = clock[T], clock[NUM_UNUSUAL], 0
    for row in rows:
        before = features[row, OTHER]
        c = t if row >= first_new else t - before
        features[row, OTHER] = c
        was_usual, usual = row < first_new and is_usual(before, clock), is_usual(c, clock)
        if was_usual:
            batch[0, count], batch[1, count] = before, -1.0
            count += 1
        elif row < first_new:
            take_out(row, num_unusual, features, unusual)
            num_unusual -= 1
        if usual:
            batch[0, count], batch[1, count] = c, 1.0
            count += 1
        else:
            put(row, c, num_unusual, features, unusual)
            num_unusual += 1
        if count >= BATCH - 1:
            add_batch(count, batch, clock, sums)
            count = 0
    add_batch(count, batch, clock, sums)
    clock[NUM_UNUSUAL] = num_unusual


@kernel
def refer_to_now(num_rows, density):
    """Make the time as it is the reference time, and sum anew."""
    features, unusual, clock, sums, batch, _ = density
    clock[REFERENCE] = clock[T]
    clock[NUM_USUAL] = clock[NUM_UNUSUAL] = 0
    sums[:] = 0.0
    count = 0
    for row in range(num_rows):
        c = features[row, OTHER]
        if is_usual(c, clock):
            batch[0, count], batch[1, count] = c, 1.0
            count += 1
        else:
            put(row, c, clock[NUM_UNUSUAL], features, unusual)
            clock[NUM_UNUSUAL] += 1
        if count == BATCH:
            add_batch(count, batch, clock, sums)
            count = 0
    add_batch(count, batch, clock, sums)


@kernel
def usual_sums(clock, sums):
    """Log ρ_t of the usual features, and what one more observation adds to it."""
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
def present(floor, density):
    """Log ρ_t and L of the features as they are; log ρ_t may be too large if below `floor`."""
    unusual, clock = density.unusual, density.clock
    t, count = clock[T], clock[NUM_UNUSUAL]
    log_rho, gain = usual_sums(clock, density.sums)
    grown = 0.0
    for k in range(count):
        grown += growth(t - unusual[k, 0])
    gain += grown - count * np.log1p(1.0 / (t + 1.0))
    for k in range(count - 1, -1, -1):  # from the last: those have switched lately
        if log_rho + gain < floor:
            break
        log_rho += log_ratio(t - unusual[k, 0] + 0.5, t + 1.0)
    return log_rho, gain


@kernel
def observe(num_rows, floor, active_set, density):
    """Algorithm 1's "ρ_t, update": log ρ_t and L of what is on, which is then counted.

    Log ρ_t is exact unless log ρ′_t is below `floor`: who needs no smaller ones is spared their
    logarithms.
    """
    clock, sizes = density.clock, active_set.sizes
    switch(active_set.left[: sizes[NUM_LEFT]], num_rows, density)
    switch(active_set.entered[: sizes[NUM_ENTERED]], sizes[FIRST_NEW], density)
    log_rho, gain = present(floor, density)
    clock[T] += 1
    # The series must hold one observation further: that is where the gain ends.
    if clock[T] + 1 - clock[REFERENCE] > GROWTH * clock[REFERENCE]:
        refer_to_now(num_rows, density)
    return log_rho, gain


@kernel
def density_and_gain(on, active_set, density):
    """Log ρ_t and L of the vector in which only the rows `on` are on; nothing is counted."""
    features, t, differs = density.features, density.clock[T], density.differs
    on_now = rows_on(active_set)
    for row in on_now:
        differs[row] = True
    for row in on:
        differs[row] = not differs[row]
    log_rho, gain = present(-np.inf, density)
    for rows in (on, on_now):
        for row in rows:
            if differs[row]:
                before, before_gain = one_factor(t - features[row, OTHER], t)
                after, after_gain = one_factor(features[row, OTHER], t)
                log_rho += after - before
                gain += after_gain - before_gain
                differs[row] = False
    return log_rho, gain
