"""Algorithm 1 compiled: one call per decision, from the screen to the next action.

`algorithm_1` has one line for each step of the paper's box, in its order. The numbers are those of
`phieb.kernels.linear.sarsa` given the bonus, but feature ids are looked up once, for the density
and for the values. Agents with and without a bonus run the same machine code (`Novelty.enabled`),
which halves the time of compilation. With a clock (`phieb.kernels.numba_support.clock`) Numba
builds a second version that times each part.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.screens import blob_ids, id_buffer
from phieb.kernels.linear.sarsa import (
    Tables,
    prefetch_changed,
    sarsa_end,
    sarsa_start,
    sarsa_step,
)
from phieb.kernels.linear.value import apply_changes
from phieb.kernels.novelty import density
from phieb.kernels.novelty.density import Counts, T, first_sight_log_ratio, new_counts
from phieb.kernels.numba_support.clock import DENSITY, ROWS, VALUE, end_lap, start_lap
from phieb.kernels.numba_support.jit import kernel, merged
from phieb.kernels.sparse.active import FIRST_NEW, NUM_ACTIVE, see

TOO_MANY_FEATURES = -2  # returned instead of an action: the id buffer is too small


class Novelty(NamedTuple):
    """The settings of the bonus, its counts, and its last result."""

    enabled: bool  # False: no bonus, and nothing is counted
    beta: float
    kappa: float
    first_sight: float
    per_feature: bool
    on_arrival: bool
    counts: Counts
    bonus: NDArray[np.float64]  # (1,): R of the last state
    pseudocount: NDArray[np.float64]  # (1,): N̂ of the last state


def no_novelty() -> Novelty:
    """For an agent without a bonus."""
    return Novelty(False, 0.0, 1.0, 0.5, False, True, new_counts(0), np.zeros(1), np.zeros(1))


class LearnerTables(NamedTuple):
    """Everything that a compiled learner reads and writes."""

    tables: Tables
    novelty: Novelty


@merged
def density_observe(rows, active_set, novelty):
    """Observe φ; returns log ρ_{t+1}(φ) and the gain L = log ρ_{t+1}(φ) − log ρ_t(φ)."""
    counts = novelty.counts
    log_rho, gain = density.observe(rows.size[0], active_set, counts)
    num_new, t = rows.size[0] - active_set.sizes[FIRST_NEW], counts.clock[T] - 1
    return log_rho + gain, gain - num_new * first_sight_log_ratio(novelty.first_sight, t)


@merged
def pseudocount(log_rho_prime, gain, active_set, novelty):
    """N̂ = ρ(1 − ρ′)/(ρ′ − ρ) = (1 − ρ′)/(e^L − 1) (Definition 2)."""
    if novelty.per_feature:  # N̄: the geometric mean of the factors instead of their product
        k = max(active_set.sizes[NUM_ACTIVE], 1)
        log_rho_prime, gain = log_rho_prime / k, gain / k
    nothing_learnt = gain <= 0.0
    n_hat = np.inf if nothing_learnt else -np.expm1(log_rho_prime) / np.expm1(gain)
    novelty.pseudocount[0] = n_hat
    return n_hat


@merged
def bonus(n_hat, novelty):
    """R = β/√(N̂ + κ), of the state the last action led to or, if so set, of the state it left."""
    previous, novelty.bonus[0] = novelty.bonus[0], novelty.beta / np.sqrt(n_hat + novelty.kappa)
    return novelty.bonus[0] if novelty.on_arrival else previous


@merged
def prefetch_tables(active_set, value, novelty):
    """Prefetch the rows of the features that switched, for the density and for the values."""
    if novelty.enabled:
        prefetch_changed(active_set, novelty.counts.features)
    prefetch_changed(active_set, value.table)


@merged
def algorithm_1(ids, reward, tables, novelty, clock):
    """One pass of the loop of Algorithm 1: the next action, and the bonus of the last."""
    rows, active_set, value, agent = tables
    see(ids, rows, active_set)  # observe φ(s), r_t
    end_lap(clock, ROWS)
    prefetch_tables(active_set, value, novelty)
    r_bonus = 0.0
    if novelty.enabled:
        log_rho_prime, gain = density_observe(rows, active_set, novelty)  # ρ_t, update, ρ_{t+1}
        n_hat = pseudocount(log_rho_prime, gain, active_set, novelty)  # N̂_t(s)
        r_bonus = bonus(n_hat, novelty)  # R_t(s, a)
        end_lap(clock, DENSITY)
    action = sarsa_step(reward, r_bonus, active_set, value, agent)  # r_t⁺ = r_t + R_t; update θ_t
    end_lap(clock, VALUE)
    return action, r_bonus


@kernel
def learn_from_ids(ids, reward, held):
    """One decision from ids of active features: the next action, the bonus."""
    return algorithm_1(ids, reward, held.tables.tables, held.tables.novelty, None)


@kernel
def learn_from_screen(screen, reward, features, held, clock):
    """One decision from a screen: the next action, the bonus, the number of active features."""
    start_lap(clock)
    count, ids = blob_ids(screen, features, clock), id_buffer(features)
    if count > ids.size:  # nothing is learnt in this case
        return TOO_MANY_FEATURES, 0.0, count
    learner = held.tables
    action, r_bonus = algorithm_1(ids[:count], reward, learner.tables, learner.novelty, clock)
    return action, r_bonus, count


@merged
def observe_bonus(rows, active_set, novelty):
    """The lines of Algorithm 1 from ρ_t to R_t, for the first and last state of an episode."""
    if not novelty.enabled:
        return 0.0
    log_rho_prime, gain = density_observe(rows, active_set, novelty)
    return bonus(pseudocount(log_rho_prime, gain, active_set, novelty), novelty)


@kernel
def start_from_ids(ids, held):
    """Start an episode with the active features `ids`; returns the first action."""
    (rows, active_set, value, agent), novelty = held.tables
    see(ids, rows, active_set)
    observe_bonus(rows, active_set, novelty)  # counted; no action has earned this bonus
    return sarsa_start(active_set, value, agent)


@merged
def observe_last(ids, tables, novelty):
    """Count the last state of an episode; returns the bonus of the last action."""
    if not novelty.enabled:
        return 0.0
    rows, active_set, value, agent = tables
    see(ids, rows, active_set)
    r_bonus = observe_bonus(rows, active_set, novelty)
    apply_changes(agent.initial_value / max(active_set.sizes[NUM_ACTIVE], 1), active_set, value)
    return r_bonus


@kernel
def end_from_ids(ids, reward, held):
    """The last action led to `ids` and ended the episode, with this reward; returns the bonus."""
    tables, novelty = held.tables
    r_bonus = observe_last(ids, tables, novelty)
    sarsa_end(reward, r_bonus, tables.value, tables.agent)
    return r_bonus
