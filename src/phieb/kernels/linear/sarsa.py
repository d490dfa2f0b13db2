"""Sarsa(λ) and its kin, a call a decision: from the features that are on to the next action.

`start`, `learn` and `end` are told the bonus; `phieb.kernels.linear.phi_eb` computes it in the same
call. Sarsa(λ), Expected Sarsa(λ) and Watkins's Q(λ) differ in what they look ahead to, and in when
traces are cut: `Agent.rule`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.linear.value import TOO_LARGE, clear_traces, exchange, take, update
from phieb.kernels.linear.value_tables import Value
from phieb.kernels.numba_support.jit import inlined, kernel
from phieb.kernels.numba_support.memory import fetch
from phieb.kernels.sparse.active import NUM_ACTIVE, NUM_ENTERED, NUM_LEFT, Active, rows_on, see
from phieb.kernels.sparse.rows import Rows
from phieb.kernels.tabular.chance import choose_with, is_best, num_best, slack_of

SARSA, EXPECTED, GREEDY = range(3)  # rules: what δ looks ahead to
DIVERGED = -1  # instead of an action


class Agent(NamedTuple):
    """Settings, what is remembered from one decision to the next, and random numbers."""

    rule: int
    alpha: float
    gamma: float
    epsilon: float
    initial_value: float
    continuing: bool
    scale_reward: bool
    most_active: NDArray[np.int64]  # one: the most features that were on at a time
    reward_scale: NDArray[np.float64]  # one: the size of the first reward that is not 0, or 0
    intrinsic_weight: NDArray[np.float64]  # one: of the value of the bonus, in choosing
    taken: NDArray[np.float64]  # (head,): Q_h(s, a) of the action taken last
    owes: NDArray[np.bool_]  # one: whether the last episode's end is still to be learnt
    owed: NDArray[np.float64]  # (head,): its r⁺
    numbers: NDArray[np.float64]  # drawn in advance
    position: NDArray[np.int64]  # one: the next of them


class Tables(NamedTuple):
    """All that an agent with linear values keeps."""

    rows: Rows
    active_set: Active
    value: Value
    agent: Agent


@inlined
def r_plus(reward, bonus, agent, heads):
    """r⁺ = r + bonus for a joint value, (r, bonus) for a split one."""
    scale, r = agent.reward_scale, float(reward)
    if agent.scale_reward:
        if scale[0] == 0.0:
            scale[0] = abs(r)
        r = r / scale[0] if scale[0] != 0.0 else 0.0
    return (r, bonus) if heads > 1 else (r + bonus, 0.0)


@inlined
def arrive(active_set, value, agent):
    """The features that are on now enter, the others leave; returns Q_h(s′, ·) for each head."""
    num_active = active_set.sizes[NUM_ACTIVE]
    exchange(agent.initial_value / max(num_active, 1), active_set, value)
    agent.most_active[0] = max(agent.most_active[0], num_active)
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
def behaviour_of(q, agent):
    """The value that is acted on: the sum of the heads, the intrinsic one times its weight."""
    behaviour = q[0].copy()
    for h in range(1, q.shape[0]):
        for a in range(behaviour.size):
            behaviour[a] += agent.intrinsic_weight[0] * q[h, a]
    return behaviour


@inlined
def choose_action(q, agent):
    """ε-greedy on the behaviour's value."""
    return choose_with(behaviour_of(q, agent), agent.epsilon, agent.numbers, agent.position)


@kernel
def is_greedy(q, action, agent):
    """Whether an action is one of the best."""
    behaviour = behaviour_of(q, agent)
    return is_best(behaviour, action, slack_of(behaviour))


@kernel
def expected(q, agent):
    """Σ_a π(a|s′) Q_h(s′, a) of the first and of the last head, π being ε-greedy."""
    behaviour = behaviour_of(q, agent)
    slack = slack_of(behaviour)
    ties, first, last = num_best(behaviour, slack), 0.0, 0.0
    for a in range(behaviour.size):
        chance = agent.epsilon / behaviour.size
        if is_best(behaviour, a, slack):
            chance += (1.0 - agent.epsilon) / ties
        first += chance * q[0, a]
        last += chance * q[-1, a]
    return first, last


@inlined
def ahead(q, action, agent):
    """What δ looks ahead to from s′, where `action` comes next: of the first and the last head."""
    if agent.rule == EXPECTED:
        return expected(q, agent)
    if agent.rule == GREEDY and not is_greedy(q, action, agent):
        action = behaviour_of(q, agent).argmax()
    return q[0, action], q[-1, action]


@inlined
def learn_from(r, next_q, value, agent):
    """δ = r⁺ + γQ(s′, ·) − Q(s, a);  θ += α δ e, for each head, with Q(s′, ·) = `next_q`."""
    rate, last = agent.alpha / agent.most_active[0], value.owed.shape[1] - 1
    first_delta = r[0] + agent.gamma * next_q[0] - agent.taken[0]
    last_delta = r[last] + agent.gamma * next_q[last] - agent.taken[last]
    update((rate * first_delta, rate * last_delta), value)


@inlined
def act(action, active_set, value, agent):
    """Take an action: its traces are 1 now, and Q_h(s, a) is remembered."""
    take(active_set.sizes[NUM_ACTIVE], action, value)
    for h in range(value.owed.shape[1]):
        agent.taken[h] = value_columns(value)[h, action]
    return action


@kernel
def begin(active_set, value, agent):
    """An episode starts with the features that are on now; returns the first action."""
    q = arrive(active_set, value, agent)
    if not is_sound(q):
        return DIVERGED
    action = choose_action(q, agent)
    if agent.owes[0]:
        # The game is over, the curiosity is not: only the intrinsic head looks ahead.
        _, intrinsic = ahead(q, action, agent)
        learn_from((agent.owed[0], agent.owed[1]), (0.0, intrinsic), value, agent)
        agent.owes[0] = False
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
    cut = agent.rule == GREEDY and not is_greedy(q, action, agent)
    learn_from(r, ahead(q, action, agent), value, agent)
    if cut:  # what follows is not the greedy policy's doing
        clear_traces(rows_on(active_set), value)
    return act(action, active_set, value, agent)


@kernel
def finish(reward, bonus, value, agent):
    """The last action ended the episode."""
    r = r_plus(reward, bonus, agent, value.owed.shape[1])
    if agent.continuing:  # learnt at the next start, whose value it needs
        agent.owes[0] = True
        agent.owed[0], agent.owed[1] = r
    else:
        learn_from(r, (0.0, 0.0), value, agent)


@kernel
def fetch_changed(active_set, table):
    """Ask for what a table has of the rows that left and entered."""
    sizes = active_set.sizes
    fetch(active_set.left[: sizes[NUM_LEFT]], table)
    fetch(active_set.entered[: sizes[NUM_ENTERED]], table)


@kernel
def start(ids, held):
    """An episode starts with the features `ids`; returns the first action."""
    tables = held.tables
    see(ids, tables.rows, tables.active_set)
    return begin(tables.active_set, tables.value, tables.agent)


@kernel
def learn(ids, reward, bonus, held):
    """The last action led to `ids`, with this reward and bonus; returns the next action."""
    tables = held.tables
    see(ids, tables.rows, tables.active_set)
    fetch_changed(tables.active_set, tables.value.table)
    return go_on(reward, bonus, tables.active_set, tables.value, tables.agent)


@kernel
def end(reward, bonus, held):
    """The last action ended the episode, with this reward and bonus."""
    finish(reward, bonus, held.tables.value, held.tables.agent)
