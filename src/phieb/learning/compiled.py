"""Algorithm 1 in one compiled call per decision: Blob-PROST, Sarsa(λ), and φ-EB or no bonus."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import BlobProst
from phieb.kernels.linear import phi_eb
from phieb.kernels.linear.phi_eb import TOO_MANY_FEATURES, LearnerTables, Novelty, no_novelty
from phieb.kernels.numba_support.held import hold
from phieb.kernels.numba_support.jit import specialized
from phieb.learning.learner import (
    BONUS_PREFIX,
    Arrays,
    BonusFor,
    Decision,
    bonus_state,
    decision_arrays,
    read_decision,
)
from phieb.learning.sarsa import SarsaLambda
from phieb.novelty import PhiBonus, VisitDensity


class CompiledLearner:
    """A fast `ComposedLearner` with the same numbers up to the last bits.

    Feature ids are looked up once, for the density and for the values. Screens are not checked:
    they come from the emulator.

    Args:
        features: the feature map φ.
        agent: Sarsa(λ) or one of its variants.
        bonus: φ-EB, whose density shares the agent's active set; None for no bonus.
        bonus_for: as in `ComposedLearner`.
    """

    def __init__(
        self,
        features: BlobProst,
        agent: SarsaLambda,
        bonus: PhiBonus | None = None,
        bonus_for: BonusFor = "arrival",
    ) -> None:
        self.features, self.agent, self.bonus = features, agent, bonus
        words = ("arrival", "departure")
        self._on_arrival = arguments.one_of("bonus_for", bonus_for, words) == "arrival"
        self._density = None if bonus is None else _shared_density(bonus, agent)
        self._last_bonus, self._pseudocount = np.zeros(1), np.zeros(1)  # of the last state
        self._no_novelty = no_novelty()
        self._action: int | None = None
        self._grow(0)
        self.use_clock(None)

    def use_clock(self, clock: NDArray[np.int64] | None) -> None:
        """Time the parts of every decision (`phieb.kernels.numba_support.clock`); None: do not."""
        self._clock = clock
        self._learn_from_screen: Any = None  # the kernel for the types of the arguments

    def start(self, observation: NDArray[np.uint8]) -> Decision:
        """Start an episode; returns the first action."""
        self.features.reset()
        return self.start_from_ids(self.features.active(observation))

    def learn(self, observation: NDArray[np.uint8], reward: float) -> Decision:
        """The last action led to this observation, with this reward; returns the next action."""
        features, clock = self.features, self._clock
        self._ensure_capacity(features.capacity)
        turn = features.next_turn()
        if self._learn_from_screen is None:
            call = observation, reward, turn, self._held, clock
            self._learn_from_screen = specialized(phi_eb.learn_from_screen, *call)
        action, bonus, count = self._learn_from_screen(observation, reward, turn, self._held, clock)
        if action == TOO_MANY_FEATURES:
            return self.learn_from_ids(features.rewrite_ids(count), reward)
        return self._decision(action, bonus, count)

    def end(self, observation: NDArray[np.uint8], reward: float) -> Decision:
        """The last action led to this observation, with this reward, and ended the episode."""
        return self.end_from_ids(self.features.active(observation), reward)

    def start_from_ids(self, ids: NDArray[np.int64]) -> Decision:
        """`start`, from the ids of the active features."""
        self._ensure_capacity(ids.size)
        return self._decision(phi_eb.start_from_ids(ids, self._held), 0.0, ids.size)

    def learn_from_ids(self, ids: NDArray[np.int64], reward: float) -> Decision:
        """`learn`, from the ids of the active features."""
        self._ensure_capacity(ids.size)
        action, bonus = phi_eb.learn_from_ids(ids, reward, self._held)
        return self._decision(action, bonus, ids.size)

    def end_from_ids(self, ids: NDArray[np.int64], reward: float) -> Decision:
        """`end`, from the ids of the active features."""
        self._ensure_capacity(ids.size)
        bonus = phi_eb.end_from_ids(ids, reward, self._held)
        return Decision(self._action or 0, bonus, self._pseudocount.item(), ids.size)

    def state(self) -> Arrays:
        """Everything learnt, and the random streams, as arrays for `restore`."""
        counted = {} if self._density is None else self._density.state()
        return {
            **self.agent.state(),
            **{f"{BONUS_PREFIX}{name}": array for name, array in counted.items()},
            **decision_arrays(self._last_bonus.item(), self._pseudocount.item(), self._action),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the `state` of a learner with the same parts, bit for bit."""
        novelty, action = read_decision(state)
        if self._density is not None:
            self._density.restore(bonus_state(state))
        self.agent.restore(state)
        (self._last_bonus[0], self._pseudocount[0]), self._action = novelty, action
        self._grow(0)

    def _decision(self, action: int, bonus: float, num_active: int) -> Decision:
        self._action = self.agent.checked(action)
        return Decision(self._action, bonus, self._pseudocount.item(), num_active)

    def _ensure_capacity(self, num_ids: int) -> None:
        """Grow the tables if one more decision, with so many features, does not fit."""
        self.agent.policy.refill()
        num_rows = self._num_rows.item() + num_ids
        if self._updates_left == 0 or num_ids > self._max_ids or num_rows > self._max_rows:
            self._grow(num_ids)
        self._updates_left -= 1

    def _grow(self, num_ids: int) -> None:
        """Grow the tables, and hold the arrays, of which some may be new."""
        agent, active_set = self.agent, self.agent.active_set
        agent.ensure_capacity(num_ids)
        self._held = hold(self.tables())
        self._num_rows, self._max_rows = active_set.rows.table.size, active_set.rows.capacity
        self._max_ids = active_set.tables.entered.size
        self._updates_left = agent.linear.updates_left

    def tables(self) -> LearnerTables:
        """The arrays that the kernels read and write."""
        return LearnerTables(self.agent.tables(), self._novelty())

    def _novelty(self) -> Novelty:
        if self.bonus is None or self._density is None:
            return self._no_novelty
        self._density.ensure_capacity()
        return Novelty(
            enabled=True,
            beta=self.bonus.beta,
            kappa=self.bonus.kappa,
            first_sight=self._density.first_sight,
            per_feature=self.bonus.per_feature,
            on_arrival=self._on_arrival,
            counts=self._density.tables,
            bonus=self._last_bonus,
            pseudocount=self._pseudocount,
        )


def _shared_density(bonus: PhiBonus, agent: SarsaLambda) -> VisitDensity:
    """The density of a bonus, if the kernels can use it."""
    density = bonus.density
    if not isinstance(density, VisitDensity) or density.active_set is not agent.active_set:
        raise TypeError("bonus must have a VisitDensity that shares the agent's active set")
    if (density.estimator, density.unobserved) != ("kt", "leave-out"):
        raise ValueError('the density of bonus must have estimator "kt" and unobserved "leave-out"')
    return density
