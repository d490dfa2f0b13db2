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

from phieb.kernels.numba_support.jit import inlined, kernel
from phieb.kernels.numba_support.lanes import LANES, load, padded, splat, store, total
from phieb.kernels.sparse.active import FIRST_NEW, NUM_ENTERED, NUM_LEFT, rows_on

TERMS = 8
GROWTH = 0.02
EARLY = 64  # before this time all features are summed one by one
T, REFERENCE, NUM_USUAL, NUM_UNUSUAL = range(4)  # places in `clock`
LOGS, FIRST_POWER = 0, 1  # places in `sums`: Σ log(u/v), then D_1, D_2, …
OTHER, PLACE = range(2)  # columns of `features`
OUT, IN, OVER_U, FIRST, DIFFERENCE = range(5)  # rows of `batch`
BATCH = 512  # how many features are put into the sums at a time
FACTORS = 512  # how many factors of at most 3 are multiplied; 3^512 is still a number
LEAST_EXPONENT = 1_000  # products of factors ρ_i stay above 2^(−1,000)


class Counts(NamedTuple):
    """How often each feature had the other value, and the sums over those that are usual."""

    features: NDArray[np.int64]  # (row, 2): c, and where among the unusual it is
    unusual: NDArray[np.int64]  # (k,): rows of those that are, the first clock[NUM_UNUSUAL]
    others: NDArray[np.float64]  # (k,): their c, and room for what stands after the last
    clock: NDArray[np.int64]
    sums: NDArray[np.float64]  # over the usual
    batch: NDArray[np.float64]  # scratch: features on their way out of the sums and into them
    differs: NDArray[np.bool_]  # scratch (row,): none, before and after


def new_counts(rows: int) -> Counts:
    """Nothing observed yet, and room for so many rows."""
    return Counts(
        np.zeros((rows, 2), np.int64),
        np.zeros(rows, np.int64),
        np.zeros(rows + LANES),
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
    new.others[:room] = old.others[:room]
    return new._replace(clock=old.clock, sums=old.sums)


@kernel
def log_ratio(part, whole):
    """log(part/whole), also where the two are nearly the same."""
    return np.log1p((part - whole) / whole) if 2.0 * part > whole else np.log(part / whole)


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
def logs_of_all(y, scratch):
    """Σ log(1 + x) of many x, of which each lane has 1 + y = Π (1 + x).

    y ← y + x(1 + y) for each x loses no digits, also where all are small.
    """
    store(scratch, (0,), y)
    logs = 0.0
    for lane in range(LANES):
        logs += np.log1p(scratch[lane])
    return logs


@kernel
def add_batch(sign, count, others, batch, clock, sums):
    """Put usual features into the sums (sign 1) or take them out (−1): those with these c.

    u^(−k−1) − v^(−k−1) = (u^(−k) − v^(−k))/u + v^(−k)(1/u − 1/v): no digits are lost.
    """
    over_u, first, difference = batch[OVER_U], batch[FIRST], batch[DIFFERENCE]
    reference, v, size = clock[REFERENCE] + 0.5, clock[REFERENCE] + 1.0, padded(count)
    others[count:size] = -0.5  # u is v then, and all that is added 0
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
    """Put a feature among the unusual."""
    unusual[num_unusual], others[num_unusual] = row, c
    features[row, PLACE] = num_unusual


@inlined
def take_out(row, num_unusual, features, unusual, others):
    """Take a feature from among the unusual; the last takes its place."""
    last, place = num_unusual - 1, features[row, PLACE]
    unusual[place], others[place] = unusual[last], others[last]
    features[unusual[place], PLACE] = place


@kernel
def switch(rows, first_new, density):
    """These features switch; those from row `first_new` on are on for the first time."""
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
    """Make the time as it is the reference time, and sum anew."""
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


@kernel
def unusual_sums(density):
    """Log ρ_t of the unusual features, and what one more observation adds to it.

    Factors are multiplied before a logarithm is taken, as many as neither underflow nor overflow.
    """
    others, scratch, t = density.others, density.batch[FIRST], density.clock[T]
    count, log_rho, gain = density.clock[NUM_UNUSUAL], 0.0, 0.0
    size, share = padded(count), 1.0 / (t + 1.0)
    others[count:size] = -0.5  # the factor is 1 then, before and after
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
def present(density):
    """Log ρ_t and L of the features as they are."""
    log_rho, gain = usual_sums(density.clock, density.sums)
    unusual, unusual_gain = unusual_sums(density)
    return log_rho + unusual, gain + unusual_gain


@kernel
def observe(num_rows, active_set, density):
    """Algorithm 1's "ρ_t, update": log ρ_t and L of what is on, which is then counted."""
    clock, sizes = density.clock, active_set.sizes
    switch(active_set.left[: sizes[NUM_LEFT]], num_rows, density)
    switch(active_set.entered[: sizes[NUM_ENTERED]], sizes[FIRST_NEW], density)
    log_rho, gain = present(density)
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
    log_rho, gain = present(density)
    for rows in (on, on_now):
        for row in rows:
            if differs[row]:
                before, before_gain = one_factor(t - features[row, OTHER], t)
                after, after_gain = one_factor(features[row, OTHER], t)
                log_rho += after - before
                gain += after_gain - before_gain
                differs[row] = False
    return log_rho, gain
