"""An empirical model of a tabular world, and the two methods that plan with it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import kernel
from phieb.kernels.tabular.chance import choose, start, step


class Model(NamedTuple):
    """Counts of observed transitions, and the values planned from them."""

    visits: NDArray[np.int64]  # (s, a): N(s, a)
    reward_sums: NDArray[np.float64]  # (s, a)
    transitions: NDArray[np.int64]  # (s, a, s′): counts; ends of episodes are not counted
    last_visit: NDArray[np.int64]  # (s, a): the step number of the last visit
    clock: NDArray[np.int64]  # (1,): steps so far
    q: NDArray[np.float64]  # (s, a)


class MbieSettings(NamedTuple):
    """Settings of MBIE-EB; `unvisited` is the value of pairs (s, a) never tried."""

    beta: float
    gamma: float
    unvisited: float
    tolerance: float


class DynaSettings(NamedTuple):
    """Settings of Dyna-Q+; κ is the scale of its bonus κ√τ."""

    kappa: float
    alpha: float
    gamma: float
    epsilon: float
    num_backups: int


def new_model(num_states: int, num_actions: int, initial_q: float) -> Model:
    """A model without observations."""
    pairs = (num_states, num_actions)
    return Model(
        np.zeros(pairs, np.int64),
        np.zeros(pairs),
        np.zeros((*pairs, num_states), np.int64),
        np.zeros(pairs, np.int64),
        np.zeros(1, np.int64),
        np.full(pairs, float(initial_q)),
    )


@kernel
def record(model, state, action, reward, next_state):
    """Count one transition; `next_state` < 0 means the end of the episode."""
    model.clock[0] += 1
    model.visits[state, action] += 1
    model.reward_sums[state, action] += reward
    model.last_visit[state, action] = model.clock[0]
    if next_state >= 0:
        model.transitions[state, action, next_state] += 1


@kernel
def expected(model, gamma, v, state, action):
    """R̂(s, a) + γ Σ_s′ P̂(s′ | s, a) v(s′), for a visited pair."""
    ahead = 0.0
    for s in range(v.size):
        ahead += model.transitions[state, action, s] * v[s]
    return (model.reward_sums[state, action] + gamma * ahead) / model.visits[state, action]


@kernel
def state_values(q):
    """(s,): v(s) = max_a Q(s, a)."""
    v = np.empty(q.shape[0])
    for s in range(v.size):
        v[s] = q[s].max()
    return v


@kernel
def mbie_plan(model, settings):
    """Value iteration on Q̃ = R̂ + β/√N + γ Σ P̂ max Q̃, from the last Q̃, to `tolerance`."""
    v = state_values(model.q)
    change = settings.tolerance
    while change >= settings.tolerance:
        change = 0.0
        for s in range(model.q.shape[0]):
            for a in range(model.q.shape[1]):
                n = model.visits[s, a]
                if n > 0:
                    q = expected(model, settings.gamma, v, s, a) + settings.beta / np.sqrt(n)
                    change = max(change, abs(q - model.q[s, a]))
                    model.q[s, a] = q
            v[s] = model.q[s].max()


@kernel
def mbie_learn(model, settings, state, action, reward, next_state):
    """One step of MBIE-EB: count, then plan again."""
    record(model, state, action, reward, next_state)
    mbie_plan(model, settings)


@kernel
def dyna_learn(model, settings, state, action, reward, next_state, rng):
    """One step of Dyna-Q+: a Q-learning update, then backups at random visited states."""
    ahead = model.q[next_state].max() if next_state >= 0 else 0.0
    error = reward + settings.gamma * ahead - model.q[state, action]
    model.q[state, action] += settings.alpha * error
    record(model, state, action, reward, next_state)
    visited = np.flatnonzero(model.visits.sum(axis=1))
    v = state_values(model.q)
    for _ in range(settings.num_backups):
        s = visited[int(rng.random() * visited.size)]
        a = int(rng.random() * model.q.shape[1])
        if model.visits[s, a] > 0:
            target = expected(model, settings.gamma, v, s, a)
        else:  # an untried action is imagined to lead back without reward
            target = settings.gamma * v[s]
        target += settings.kappa * np.sqrt(model.clock[0] - model.last_visit[s, a])
        model.q[s, a] += settings.alpha * (target - model.q[s, a])
        v[s] = model.q[s].max()


@kernel
def mbie_episode(world, settings, model, world_rng, agent_rng, max_steps):
    """One episode of MBIE-EB, cut after `max_steps`; returns the sum of the rewards."""
    state = start(world, world_rng)
    total = 0.0
    for _ in range(max_steps):
        action = choose(model.q[state], 0.0, agent_rng)
        next_state, reward = step(world, state, action, world_rng)
        total += reward
        ended = world.terminal[next_state]
        mbie_learn(model, settings, state, action, reward, -1 if ended else next_state)
        if ended:
            break
        state = next_state
    return total


@kernel
def dyna_episode(world, settings, model, world_rng, agent_rng, max_steps):
    """One episode of Dyna-Q+, cut after `max_steps`; returns the sum of the rewards."""
    state = start(world, world_rng)
    total = 0.0
    for _ in range(max_steps):
        action = choose(model.q[state], settings.epsilon, agent_rng)
        next_state, reward = step(world, state, action, world_rng)
        total += reward
        ended = world.terminal[next_state]
        dyna_learn(model, settings, state, action, reward, -1 if ended else next_state, agent_rng)
        if ended:
            break
        state = next_state
    return total
