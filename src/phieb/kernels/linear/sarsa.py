"""Sarsa(λ), Expected Sarsa(λ) and Watkins's Q(λ): one call per decision, from ids to an action.

`start`, `learn` and `end` are given the bonus; `phieb.kernels.linear.phi_eb` computes it in the
same call. The methods differ in the value that δ bootstraps from and in when traces are cut:
`Agent.rule`. Values are (head, action): head 0 is the extrinsic value, or the only one; head 1, of
a split value, is the intrinsic value.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.linear.value import TOO_LARGE, apply_changes, clear_traces, set_traces, update
from phieb.kernels.linear.value_tables import Value
from phieb.kernels.numba_support.jit import inlined, inner, kernel, merged
from phieb.kernels.numba_support.memory import prefetch_rows
from phieb.kernels.sparse.active import (
    NUM_ACTIVE,
    NUM_ENTERED,
    NUM_EXITED,
    Active,
    active_rows,
    see,
)
from phieb.kernels.sparse.rows import Rows
from phieb.kernels.tabular.chance import choose_with, is_best, num_best, slack_of

SARSA, EXPECTED, GREEDY = range(3)  # rules: the policy whose action value δ bootstraps from
DIVERGED = -1  # returned instead of an action


class Agent(NamedTuple):
    """Settings, memory from one decision to the next, and random numbers."""

    rule: int
    alpha: float
    gamma: float
    epsilon: float
    initial_value: float
    continuing: bool
    scale_reward: bool
    most_active: NDArray[np.int64]  # (1,): the largest number of active features so far
    reward_scale: NDArray[np.float64]  # (1,): size of the first non-zero reward; 0 before it
    intrinsic_weight: NDArray[np.float64]  # (1,): weight of the intrinsic value in action choice
    q_taken: NDArray[np.float64]  # (head,): Q_h(s, a) of the last action
    end_pending: NDArray[np.bool_]  # (1,): whether the last episode's end is still to be learnt
    pending_r_plus: NDArray[np.float64]  # (head,): r⁺ of that end
    numbers: NDArray[np.float64]  # (k,): random numbers drawn in advance
    position: NDArray[np.int64]  # (1,): index of the next one


class Tables(NamedTuple):
    """Everything that an agent with linear values reads and writes."""

    rows: Rows
    active_set: Active
    value: Value
    agent: Agent


@merged
def r_plus(reward, bonus, agent, heads):
    """(r⁺, 0) with r⁺ = r + bonus for a joint value, (r, bonus) for a split one."""
    scale, r = agent.reward_scale, float(reward)
    if agent.scale_reward:
        if scale[0] == 0.0:
            scale[0] = abs(r)
        r = r / scale[0] if scale[0] != 0.0 else 0.0
    return (r, bonus) if heads > 1 else (r + bonus, 0.0)


@merged
def next_values(active_set, value, agent):
    """Update the sums to the features of s′; returns Q_h(s′, ·), a (head, action) view."""
    num_active = active_set.sizes[NUM_ACTIVE]
    apply_changes(agent.initial_value / max(num_active, 1), active_set, value)
    agent.most_active[0] = max(agent.most_active[0], num_active)
    return current_values(value)


@merged
def current_values(value):
    """Q_h(s, a) of the active features, a (head, action) view of the sums."""
    heads, sums = value.owed.shape[1], value.sums
    return sums.reshape(heads + 1, sums.size // (heads + 1))[:heads, : value.last.size]


@inlined
def is_sound(q):
    """Whether all values are finite and below `TOO_LARGE` in size."""
    sound = True
    for h in range(q.shape[0]):
        for a in range(q.shape[1]):
            sound &= abs(q[h, a]) < TOO_LARGE  # False for NaN
    return sound


@merged
def behaviour_of(q, agent):
    """(action,): the values that actions are chosen by, extrinsic + weight · intrinsic."""
    behaviour = q[0].copy()
    for h in range(1, q.shape[0]):
        for a in range(behaviour.size):
            behaviour[a] += agent.intrinsic_weight[0] * q[h, a]
    return behaviour


@merged
def choose_action(q, agent):
    """An ε-greedy action with respect to the behaviour values."""
    return choose_with(behaviour_of(q, agent), agent.epsilon, agent.numbers, agent.position)


@inner
def is_greedy(q, action, agent):
    """Whether an action is greedy with respect to the behaviour values."""
    behaviour = behaviour_of(q, agent)
    return is_best(behaviour, action, slack_of(behaviour))


@inner
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


@merged
def bootstrap_values(q, action, agent):
    """The values of s′ in δ, of the first and the last head; `action` is the next action."""
    if agent.rule == EXPECTED:
        return expected(q, agent)
    if agent.rule == GREEDY and not is_greedy(q, action, agent):
        action = behaviour_of(q, agent).argmax()
    return q[0, action], q[-1, action]


@merged
def td_update(r, next_q, value, agent):
    """δ = r⁺ + γ·`next_q` − Q(s, a), then θ += α δ e, for each head."""
    rate, last = agent.alpha / agent.most_active[0], value.owed.shape[1] - 1
    first_delta = r[0] + agent.gamma * next_q[0] - agent.q_taken[0]
    last_delta = r[last] + agent.gamma * next_q[last] - agent.q_taken[last]
    update((rate * first_delta, rate * last_delta), value)


@merged
def take_action(action, active_set, value, agent):
    """Set the traces of (s, a) and remember Q_h(s, a); returns the action."""
    set_traces(active_set.sizes[NUM_ACTIVE], action, value)
    for h in range(value.owed.shape[1]):
        agent.q_taken[h] = current_values(value)[h, action]
    return action


@merged
def sarsa_start(active_set, value, agent):
    """Start an episode in the state of the active set; returns the first action."""
    q = next_values(active_set, value, agent)
    if not is_sound(q):
        return DIVERGED
    action = choose_action(q, agent)
    if agent.end_pending[0]:
        # The extrinsic return ends with the episode; the intrinsic head bootstraps past the end.
        _, intrinsic = bootstrap_values(q, action, agent)
        pending = agent.pending_r_plus[0], agent.pending_r_plus[1]
        td_update(pending, (0.0, intrinsic), value, agent)
        agent.end_pending[0] = False
    clear_traces(active_rows(active_set), value)
    return take_action(action, active_set, value, agent)


@merged
def sarsa_step(reward, bonus, active_set, value, agent):
    """Learn from the last action, which led to the active set; returns the next action."""
    r = r_plus(reward, bonus, agent, value.owed.shape[1])
    q = next_values(active_set, value, agent)
    if not is_sound(q):
        return DIVERGED
    action = choose_action(q, agent)
    cut = agent.rule == GREEDY and not is_greedy(q, action, agent)
    td_update(r, bootstrap_values(q, action, agent), value, agent)
    if cut:  # after an exploratory action, returns are no longer the greedy policy's
        clear_traces(active_rows(active_set), value)
    return take_action(action, active_set, value, agent)


@merged
def sarsa_end(reward, bonus, value, agent):
    """Learn from the last action, which ended the episode."""
    r = r_plus(reward, bonus, agent, value.owed.shape[1])
    if agent.continuing:  # learnt at the next start: it bootstraps from that state
        agent.end_pending[0] = True
        agent.pending_r_plus[0], agent.pending_r_plus[1] = r
    else:
        td_update(r, (0.0, 0.0), value, agent)


@inner
def prefetch_changed(active_set, table):
    """Prefetch the rows of a table whose features switched on or off."""
    sizes = active_set.sizes
    prefetch_rows(active_set.exited[: sizes[NUM_EXITED]], table)
    prefetch_rows(active_set.entered[: sizes[NUM_ENTERED]], table)


@kernel
def start(ids, held):
    """Start an episode with the active features `ids`; returns the first action."""
    tables = held.tables
    see(ids, tables.rows, tables.active_set)
    return sarsa_start(tables.active_set, tables.value, tables.agent)


@kernel
def learn(ids, reward, bonus, held):
    """The last action led to `ids`, with this reward and bonus; returns the next action."""
    tables = held.tables
    see(ids, tables.rows, tables.active_set)
    prefetch_changed(tables.active_set, tables.value.table)
    return sarsa_step(reward, bonus, tables.active_set, tables.value, tables.agent)


@kernel
def end(reward, bonus, held):
    """The last action ended the episode, with this reward and bonus."""
    sarsa_end(reward, bonus, held.tables.value, held.tables.agent)
