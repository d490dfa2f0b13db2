"""Sarsa(λ) with φ-EB in the tabular case: one feature is on at a time.

Its twin is the general implementation: `SarsaLambda`, `PhiBonus` and `run_episode` with `OneHot`
features draw the same random numbers and take the same actions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import kernel
from phieb.kernels.tabular.chance import choose, start, step

T, NUM_OBSERVED, NUM_ELIGIBLE = 0, 1, 2  # indices of Memory.sizes


class Settings(NamedTuple):
    """Settings of the agent; β = 0 means no bonus."""

    alpha: float
    gamma: float
    lambda_: float
    epsilon: float
    beta: float
    kappa: float


class Memory(NamedTuple):
    """Weights, traces and counts of the agent."""

    theta: NDArray[np.float64]  # (state, action)
    trace: NDArray[np.float64]  # (state, action)
    eligible: NDArray[np.int64]  # (state,): those with a trace, the first sizes[NUM_ELIGIBLE]
    row_of: NDArray[np.int64]  # (state,): its index in `counts`, or -1
    counts: NDArray[np.float64]  # (state,): N_i, the first sizes[NUM_OBSERVED]
    sizes: NDArray[np.int64]  # (3,): t, number observed, number eligible


def new_memory(num_states: int, num_actions: int, initial_value: float) -> Memory:
    """Nothing observed yet, all weights at `initial_value`."""
    return Memory(
        np.full((num_states, num_actions), float(initial_value)),
        np.zeros((num_states, num_actions)),
        np.zeros(num_states, np.int64),
        np.full(num_states, -1),
        np.zeros(num_states),
        np.zeros(3, np.int64),
    )


@kernel
def off_products(counts, t):
    """Π (t − N_i + ½)/(t + 1) and Π (t − N_i + 3/2)/(t + 2): all features off, before and after.

    Since counts of one-hot features add up to t, neither product underflows. Even and odd factors
    are multiplied separately, in a fixed order, which shortens the chain of dependent operations.
    """
    per_before, per_after = 1.0 / (t + 1.0), 1.0 / (t + 2.0)
    even_before = even_after = odd_before = odd_after = 1.0
    for k in range(0, counts.size - 1, 2):
        even, odd = t - counts[k], t - counts[k + 1]
        even_before *= (even + 0.5) * per_before
        even_after *= (even + 1.5) * per_after
        odd_before *= (odd + 0.5) * per_before
        odd_after *= (odd + 1.5) * per_after
    if counts.size % 2:
        last = t - counts[-1]
        even_before *= (last + 0.5) * per_before
        even_after *= (last + 1.5) * per_after
    return even_before * odd_before, even_after * odd_after


@kernel
def observe(memory, state):
    """Count `state`; returns its N̂, from KT factors over the states observed so far."""
    sizes, t = memory.sizes, memory.sizes[T]
    row = memory.row_of[state]
    if row < 0:
        row = memory.row_of[state] = sizes[NUM_OBSERVED]
        sizes[NUM_OBSERVED] += 1
    counts = memory.counts[: sizes[NUM_OBSERVED]]
    n = counts[row]
    rho, rho_prime = off_products(counts, t)
    rho *= (n + 0.5) / (t - n + 0.5)  # this feature is on
    rho_prime *= (n + 1.5) / (t - n + 1.5)
    counts[row] += 1
    sizes[T] += 1
    return rho * (1.0 - rho_prime) / (rho_prime - rho)


@kernel
def observe_bonus(memory, settings, state):
    """Count `state`; returns R = β/√(N̂ + κ). If β = 0, nothing is counted."""
    if settings.beta == 0.0:
        return 0.0
    return settings.beta / np.sqrt(observe(memory, state) + settings.kappa)


@kernel
def take(memory, settings, state, action):
    """Decay all traces, then set the trace of (state, action) to 1."""
    trace, sizes = memory.trace, memory.sizes
    is_eligible = False
    for k in range(sizes[NUM_ELIGIBLE]):
        is_eligible |= memory.eligible[k] == state
        for a in range(trace.shape[1]):
            trace[memory.eligible[k], a] *= settings.gamma * settings.lambda_
    if not is_eligible:
        memory.eligible[sizes[NUM_ELIGIBLE]] = state
        sizes[NUM_ELIGIBLE] += 1
    trace[state, action] = 1.0


@kernel
def update(memory, settings, state, action, target):
    """δ = target − Q(s, a);  θ += α δ e."""
    change = settings.alpha * (target - memory.theta[state, action])
    for k in range(memory.sizes[NUM_ELIGIBLE]):
        s = memory.eligible[k]
        for a in range(memory.theta.shape[1]):
            memory.theta[s, a] += change * memory.trace[s, a]


@kernel
def clear_traces(memory):
    """Set all traces to 0, at the start of an episode."""
    for k in range(memory.sizes[NUM_ELIGIBLE]):
        memory.trace[memory.eligible[k]] = 0.0
    memory.sizes[NUM_ELIGIBLE] = 0


@kernel
def episode(world, settings, memory, world_rng, agent_rng, max_steps):
    """One episode of Algorithm 1, cut after `max_steps`; returns the sum of the rewards."""
    state = start(world, world_rng)
    observe_bonus(memory, settings, state)
    clear_traces(memory)
    action = choose(memory.theta[state], settings.epsilon, agent_rng)
    take(memory, settings, state, action)
    total = 0.0
    for _ in range(max_steps):
        next_state, reward = step(world, state, action, world_rng)
        total += reward
        r_plus = reward + observe_bonus(memory, settings, next_state)
        if world.terminal[next_state]:
            update(memory, settings, state, action, r_plus)
            break
        next_action = choose(memory.theta[next_state], settings.epsilon, agent_rng)
        next_q = memory.theta[next_state, next_action]
        update(memory, settings, state, action, r_plus + settings.gamma * next_q)
        state, action = next_state, next_action
        take(memory, settings, state, action)
    return total


@kernel
def episodes_to_solve(world, settings, memory, world_rng, agent_rng, good, max_episodes):
    """The first episode by which fewer than 90 % of returns were below `good`; 0 if none."""
    num_bad = 0
    for n in range(1, max_episodes + 1):
        num_steps = world.terminal.size  # more than any episode has
        num_bad += episode(world, settings, memory, world_rng, agent_rng, num_steps) < good
        if num_bad < 0.9 * n:
            return n
    return 0
