"""UCB1."""

import numpy as np

from phieb.kernels.numba_support.jit import kernel
from phieb.kernels.tabular.chance import choose, start, step


@kernel
def upper_bounds(sums, pulls, scale):
    """(action,): Q̂(a) + scale·√(2 log t / N(a)), infinite for an arm never pulled (§2.2)."""
    t = pulls.sum()
    bounds = np.empty(sums.size)
    for a in range(sums.size):
        if pulls[a] == 0:
            bounds[a] = np.inf
        else:
            bounds[a] = sums[a] / pulls[a] + scale * np.sqrt(2.0 * np.log(t) / pulls[a])
    return bounds


@kernel
def ucb_episode(world, scale, sums, pulls, world_rng, agent_rng, max_steps):
    """`max_steps` pulls by UCB1; returns the sum of the rewards."""
    state = start(world, world_rng)
    total = 0.0
    for _ in range(max_steps):
        action = choose(upper_bounds(sums, pulls, scale), 0.0, agent_rng)
        state, reward = step(world, state, action, world_rng)
        sums[action] += reward
        pulls[action] += 1
        total += reward
    return total
