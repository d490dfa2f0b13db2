"""Sarsa(λ), a call a decision: Algorithm 1 from the features that are on to the next action.

`start`, `learn` and `end` are told the bonus. `start_exploring`, `explore` and `end_exploring` are
the same with the φ-exploration bonus: rows are looked up once, for the density and for the value.
`learn_screen` and `explore_screen` go all the way from a screen to an action.

Named tuples are made in here: to hand one over from Python takes longer than a plain tuple.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.screens import blob_ids, ids_in
from phieb.kernels.linear.value import TOO_LARGE, clear_traces, exchange, take, update
from phieb.kernels.linear.value_tables import Value
from phieb.kernels.novelty import density as density_kernels
from phieb.kernels.novelty.density import Counts, T, head_start
from phieb.kernels.numba_support.jit import inlined, kernel
from phieb.kernels.numba_support.memory import fetch
from phieb.kernels.sparse.active import (
    FIRST_NEW,
    NUM_ACTIVE,
    NUM_ENTERED,
    NUM_LEFT,
    Active,
    rows_on,
    see,
)
from phieb.kernels.sparse.rows import Rows
from phieb.kernels.tabular.chance import choose_with

# Places in the agent's `memory`; TAKEN and OWED have two.
MOST_ACTIVE, REWARD_SCALE, OWES, TAKEN, OWED, WEIGHT, NUM_REMEMBERED = 0, 1, 2, 3, 5, 7, 8
BONUS, PSEUDOCOUNT = range(2)  # places in the novelty's `memory`
DIVERGED, TOO_MANY = -1, -2  # instead of an action


class Agent(NamedTuple):
    """The settings of Sarsa(λ), what it remembers, and its random numbers."""

    alpha: float
    gamma: float
    epsilon: float
    initial_value: float
    continuing: bool
    scale_reward: bool
    memory: NDArray[np.float64]
    numbers: NDArray[np.float64]
    position: NDArray[np.int64]


class Novelty(NamedTuple):
    """The settings of the bonus, and what it remembers."""

    beta: float
    kappa: float
    first_sight: float
    per_feature: bool
    on_arrival: bool
    memory: NDArray[np.float64]


@inlined
def r_plus(reward, bonus, agent, heads):
    """r⁺ = r + bonus for a joint value, (r, bonus) for a split one."""
    memory, r = agent.memory, float(reward)
    if agent.scale_reward:
        if memory[REWARD_SCALE] == 0.0:
            memory[REWARD_SCALE] = abs(r)
        r = r / memory[REWARD_SCALE] if memory[REWARD_SCALE] != 0.0 else 0.0
    return (r, bonus) if heads > 1 else (r + bonus, 0.0)


@inlined
def arrive(active_set, value, agent):
    """The features that are on now enter, the others leave; returns Q_h(s′, ·) for each head."""
    num_active = active_set.sizes[NUM_ACTIVE]
    exchange(agent.initial_value / max(num_active, 1), active_set, value)
    agent.memory[MOST_ACTIVE] = max(agent.memory[MOST_ACTIVE], num_active)
    return value_columns(value)


@inlined
def value_columns(value):
    """Q_h(s, a), by head and action, as it is kept up."""
    heads, sums = value.owed.shape[1], value.sums
    return sums.reshape(heads + 1, sums.size // (heads + 1))[:heads, : value.last.size]


@inlined
def is_sound(q):
    """Whether all values are numbers of a sensible size."""
    sound = True
    for h in range(q.shape[0]):
        for a in range(q.shape[1]):
            sound &= abs(q[h, a]) < TOO_LARGE  # False for NaN
    return sound


@inlined
def choose_action(q, agent):
    """ε-greedy on the sum of the heads, the intrinsic one times its weight."""
    behaviour = q[0].copy()
    for h in range(1, q.shape[0]):
        for a in range(behaviour.size):
            behaviour[a] += agent.memory[WEIGHT] * q[h, a]
    return choose_with(behaviour, agent.epsilon, agent.numbers, agent.position)


@inlined
def learn_from(r, next_q, value, agent):
    """δ = r⁺ + γQ(s′, a′) − Q(s, a);  θ += α δ e, for each head."""
    rate, last = agent.alpha / agent.memory[MOST_ACTIVE], value.owed.shape[1] - 1
    first_delta = r[0] + agent.gamma * next_q[0] - agent.memory[TAKEN]
    last_delta = r[last] + agent.gamma * next_q[last] - agent.memory[TAKEN + last]
    update((rate * first_delta, rate * last_delta), value)


@inlined
def act(action, active_set, value, agent):
    """Take an action: its traces are 1 now, and Q_h(s, a) is remembered."""
    take(active_set.sizes[NUM_ACTIVE], action, value)
    for h in range(value.owed.shape[1]):
        agent.memory[TAKEN + h] = value_columns(value)[h, action]
    return action


@kernel
def begin(active_set, value, agent):
    """An episode starts with the features that are on now; returns the first action."""
    memory = agent.memory
    q = arrive(active_set, value, agent)
    if not is_sound(q):
        return DIVERGED
    action = choose_action(q, agent)
    if memory[OWES]:
        # The game is over, the curiosity is not: only the intrinsic head looks ahead.
        learn_from((memory[OWED], memory[OWED + 1]), (0.0, q[-1, action]), value, agent)
        memory[OWES] = 0.0
    clear_traces(rows_on(active_set), value)
    return act(action, active_set, value, agent)


@inlined
def go_on(reward, bonus, active_set, value, agent):
    """The last action led to the features that are on now; returns the next action."""
    r = r_plus(reward, bonus, agent, value.owed.shape[1])
    q = arrive(active_set, value, agent)
    if not is_sound(q):
        return DIVERGED
    action = choose_action(q, agent)
    learn_from(r, (q[0, action], q[-1, action]), value, agent)
    return act(action, active_set, value, agent)


@kernel
def finish(reward, bonus, value, agent):
    """The last action ended the episode."""
    r = r_plus(reward, bonus, agent, value.owed.shape[1])
    if agent.continuing:  # learnt at the next start, whose value it needs
        agent.memory[OWES] = 1.0
        agent.memory[OWED], agent.memory[OWED + 1] = r
    else:
        learn_from(r, (0.0, 0.0), value, agent)


@inlined
def bonus_of(num_rows, active_set, counts, novelty):
    """ρ_t, update, ρ_{t+1}, N̂ and R = β/√(N̂ + κ); returns the bonus of the action taken."""
    memory = novelty.memory
    log_rho, gain = density_kernels.observe(num_rows, active_set, counts)
    num_new, t = num_rows - active_set.sizes[FIRST_NEW], counts.clock[T] - 1
    log_rho_prime = log_rho + gain
    gain -= num_new * head_start(novelty.first_sight, t)
    if novelty.per_feature:  # the geometric mean of the factors in place of their product
        k = max(active_set.sizes[NUM_ACTIVE], 1)
        log_rho_prime, gain = log_rho_prime / k, gain / k
    nothing_learnt = gain <= 0.0
    # N̂ = ρ(1 − ρ′)/(ρ′ − ρ) = (1 − ρ′)/(e^L − 1) (Definition 2)
    memory[PSEUDOCOUNT] = np.inf if nothing_learnt else -np.expm1(log_rho_prime) / np.expm1(gain)
    left, memory[BONUS] = memory[BONUS], novelty.beta / np.sqrt(memory[PSEUDOCOUNT] + novelty.kappa)
    return memory[BONUS] if novelty.on_arrival else left


@kernel
def fetch_changed(active_set, table):
    """Ask for what a table has of the rows that left and entered."""
    sizes = active_set.sizes
    fetch(active_set.left[: sizes[NUM_LEFT]], table)
    fetch(active_set.entered[: sizes[NUM_ENTERED]], table)


@kernel
def start(ids, rows, active_set, value, agent):
    """An episode starts with the features `ids`; returns the first action."""
    active_set = Active(*active_set)
    see(ids, Rows(*rows), active_set)
    return begin(active_set, Value(*value), Agent(*agent))


@inlined
def learn(ids, reward, bonus, rows, active_set, value, agent):
    """The last action led to `ids`, with this reward and bonus; returns the next action."""
    active_set, value = Active(*active_set), Value(*value)
    see(ids, Rows(*rows), active_set)
    fetch_changed(active_set, value.table)
    return go_on(reward, bonus, active_set, value, Agent(*agent))


@kernel
def end(reward, bonus, value, agent):
    """The last action ended the episode, with this reward and bonus."""
    finish(reward, bonus, Value(*value), Agent(*agent))


@kernel
def start_exploring(ids, rows, active_set, value, agent, counts, novelty):
    """An episode starts with the features `ids`; returns the first action."""
    active_set = Active(*active_set)
    see(ids, Rows(*rows), active_set)
    bonus_of(rows[-1][0], active_set, Counts(*counts), Novelty(*novelty))
    return begin(active_set, Value(*value), Agent(*agent))


@inlined
def explore(ids, reward, rows, active_set, value, agent, counts, novelty):
    """Algorithm 1, one decision: φ(s) = `ids` and r_t are observed; the next action, the bonus.

    `see`: φ(s). `bonus_of`: ρ_t(φ), the update, ρ_{t+1}(φ), N̂, R. `go_on`: r⁺, θ, the next action.
    """
    active_set, value, counts = Active(*active_set), Value(*value), Counts(*counts)
    see(ids, Rows(*rows), active_set)  # φ(s)
    fetch_changed(active_set, counts.features)
    fetch_changed(active_set, value.table)
    bonus = bonus_of(rows[-1][0], active_set, counts, Novelty(*novelty))  # ρ_t … R
    return go_on(reward, bonus, active_set, value, Agent(*agent)), bonus  # r⁺ → θ


@kernel
def learn_screen(screen, reward, bonus, features, held):
    """`learn` from a screen; also returns how many features are on."""
    count, ids = blob_ids(screen, features), ids_in(features)
    if count > ids.size:  # nothing is learnt then
        return TOO_MANY, count
    return learn(ids[:count], reward, bonus, *held.tables), count


@kernel
def explore_screen(screen, reward, features, held):
    """Algorithm 1 from s to a: `explore` from a screen; also returns how many features are on."""
    count, ids = blob_ids(screen, features), ids_in(features)
    if count > ids.size:  # nothing is learnt then
        return TOO_MANY, 0.0, count
    action, bonus = explore(ids[:count], reward, *held.tables)
    return action, bonus, count


@kernel
def end_exploring(ids, reward, rows, active_set, value, agent, counts, novelty):
    """The last action led to `ids` and ended the episode, with this reward; returns the bonus."""
    active_set, value, agent = Active(*active_set), Value(*value), Agent(*agent)
    see(ids, Rows(*rows), active_set)
    bonus = bonus_of(rows[-1][0], active_set, Counts(*counts), Novelty(*novelty))
    exchange(agent.initial_value / max(active_set.sizes[NUM_ACTIVE], 1), active_set, value)
    finish(reward, bonus, value, agent)
    return bonus
