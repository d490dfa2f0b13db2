"""Feature ids hashed into a short vector, and a linear model that predicts the next vector."""

import numpy as np

from phieb.kernels.numba_support.jit import inlined, kernel

# Constants of splitmix64: the hash is the same on every machine and in every run.
MULTIPLY_1, MULTIPLY_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
TOP_BIT = np.uint64(63)


@inlined
def mixed(word):
    """The finalizer of splitmix64: every output bit depends on every input bit."""
    word = (word ^ (word >> SHIFT_1)) * MULTIPLY_1
    word = (word ^ (word >> SHIFT_2)) * MULTIPLY_2
    return word ^ (word >> SHIFT_3)


@kernel
def scatter(ids, seed, out):
    """Write σ to `out` (size,): each of n active features adds ±1/√n to one component, by hash."""
    out[:] = 0.0
    start = mixed(np.uint64(seed) + GOLDEN)
    for k in range(ids.size):
        word = mixed(np.uint64(ids[k]) + start)
        out[word % np.uint64(out.size)] += 1.0 if word >> TOP_BIT else -1.0
    # Scaled last, so that signs cancel to exactly 0: `learn` would amplify a rounding error.
    out /= np.sqrt(max(ids.size, 1))


@kernel
def learn(model, before, after, rate, error):
    """Predict `after` from `before`, (size,) each, then learn; returns the squared error.

    Normalised least mean squares: M += rate·(σ′ − Mσ)σᵀ/‖σ‖². `model` is Mᵀ, (size, size), so that
    inner loops run along rows; `error` is scratch (size,). Sums have a fixed order.
    """
    error[:] = after
    norm = squares = 0.0
    for i in range(before.size):
        norm += before[i] * before[i]
        for j in range(after.size):
            error[j] -= before[i] * model[i, j]
    for j in range(after.size):
        squares += error[j] * error[j]
    if norm > 0.0:
        for i in range(before.size):
            step = rate * before[i] / norm
            for j in range(after.size):
                model[i, j] += step * error[j]
    return squares
