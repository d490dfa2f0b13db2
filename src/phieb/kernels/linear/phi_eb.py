"""Algorithm 1 in one compiled call a decision: from the screen to the next action.

The same as telling `phieb.kernels.linear.sarsa` the bonus, but rows of features are looked up once,
for the density and for the value. Without a bonus, `novelty` is None, and Numba compiles what is
left. With a clock (`phieb.kernels.numba_support.clock`) the parts of a decision are timed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.screens import blob_ids, ids_in
from phieb.kernels.linear.sarsa import Tables, begin, fetch_changed, finish, go_on
from phieb.kernels.linear.value import exchange
from phieb.kernels.novelty import density
from phieb.kernels.novelty.density import Counts, T, head_start
from phieb.kernels.numba_support.clock import DENSITY, ROWS, VALUE, end_lap, start_lap
from phieb.kernels.numba_support.jit import inlined, kernel
from phieb.kernels.sparse.active import FIRST_NEW, NUM_ACTIVE, see

TOO_MANY = -2  # instead of an action: more features are on than there is room for


class Novelty(NamedTuple):
    """The settings of the bonus, what it counts, and its last result."""

    beta: float
    kappa: float
    first_sight: float
    per_feature: bool
    on_arrival: bool
    counts: Counts
    bonus: NDArray[np.float64]  # one: of the last state
    pseudocount: NDArray[np.float64]  # one: of the last state


class Whole(NamedTuple):
    """All that a learner keeps."""

    tables: Tables
    novelty: Novelty | None


@inlined
def bonus_of(num_rows, active_set, novelty):
    """ρ_t, update, ρ_{t+1}, N̂ and R = β/√(N̂ + κ); returns the bonus of the action taken."""
    counts = novelty.counts
    log_rho, gain = density.observe(num_rows, active_set, counts)
    num_new, t = num_rows - active_set.sizes[FIRST_NEW], counts.clock[T] - 1
    log_rho_prime = log_rho + gain
    gain -= num_new * head_start(novelty.first_sight, t)
    if novelty.per_feature:  # the geometric mean of the factors in place of their product
        k = max(active_set.sizes[NUM_ACTIVE], 1)
        log_rho_prime, gain = log_rho_prime / k, gain / k
    nothing_learnt = gain <= 0.0
    # N̂ = ρ(1 − ρ′)/(ρ′ − ρ) = (1 − ρ′)/(e^L − 1) (Definition 2)
    pseudocount = np.inf if nothing_learnt else -np.expm1(log_rho_prime) / np.expm1(gain)
    left, arrived = novelty.bonus[0], novelty.beta / np.sqrt(pseudocount + novelty.kappa)
    novelty.pseudocount[0], novelty.bonus[0] = pseudocount, arrived
    return arrived if novelty.on_arrival else left


@inlined
def observe(rows, active_set, value, novelty, clock):
    """The bonus of the features that are on; 0 where there is none to be had."""
    if novelty is None:
        fetch_changed(active_set, value.table)
        return 0.0
    fetch_changed(active_set, novelty.counts.features)
    fetch_changed(active_set, value.table)
    bonus = bonus_of(rows.size[0], active_set, novelty)
    end_lap(clock, DENSITY)
    return bonus


@inlined
def learn_from(ids, reward, tables, novelty, clock):
    """Algorithm 1, one decision: φ(s) = `ids` and r_t are observed; the next action, the bonus."""
    rows, active_set, value, agent = tables
    see(ids, rows, active_set)  # φ(s)
    end_lap(clock, ROWS)
    bonus = observe(rows, active_set, value, novelty, clock)  # ρ_t, update, ρ_{t+1}, N̂, R
    action = go_on(reward, bonus, active_set, value, agent)  # r⁺, θ, the next action
    end_lap(clock, VALUE)
    return action, bonus


@kernel
def learn_from_ids(ids, reward, held):
    """One decision from the features that are on: the next action, the bonus."""
    return learn_from(ids, reward, held.tables.tables, held.tables.novelty, None)


@kernel
def learn_from_screen(screen, reward, features, held, clock):
    """One decision from a screen: the next action, the bonus, how many features are on."""
    start_lap(clock)
    count, ids = blob_ids(screen, features, clock), ids_in(features)
    if count > ids.size:  # nothing is learnt then
        return TOO_MANY, 0.0, count
    whole = held.tables
    action, bonus = learn_from(ids[:count], reward, whole.tables, whole.novelty, clock)
    return action, bonus, count


@inlined
def count_first(rows, active_set, novelty):
    """The first state of an episode is counted; nobody earns its bonus yet."""
    if novelty is not None:
        bonus_of(rows.size[0], active_set, novelty)


@kernel
def start_from_ids(ids, held):
    """An episode starts with the features `ids`; returns the first action."""
    tables, novelty = held.tables
    see(ids, tables.rows, tables.active_set)
    count_first(tables.rows, tables.active_set, novelty)
    return begin(tables.active_set, tables.value, tables.agent)


@inlined
def count_last(ids, tables, novelty):
    """The last state of an episode is counted, if anything is; returns the bonus."""
    if novelty is None:
        return 0.0
    rows, active_set, value, agent = tables
    see(ids, rows, active_set)
    bonus = bonus_of(rows.size[0], active_set, novelty)
    exchange(agent.initial_value / max(active_set.sizes[NUM_ACTIVE], 1), active_set, value)
    return bonus


@kernel
def end_from_ids(ids, reward, held):
    """The last action led to `ids` and ended the episode, with this reward; returns the bonus."""
    tables, novelty = held.tables
    bonus = count_last(ids, tables, novelty)
    finish(reward, bonus, tables.value, tables.agent)
    return bonus
