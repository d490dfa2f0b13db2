"""Blob-PROST, Sarsa(λ), φ-EB or no bonus: Algorithm 1 in one compiled call a decision."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import BlobProst
from phieb.kernels.linear import phi_eb
from phieb.kernels.linear.phi_eb import TOO_MANY, Novelty, Whole
from phieb.kernels.numba_support.held import hold
from phieb.kernels.numba_support.jit import straight
from phieb.learning.learner import (
    _PREFIX,
    Arrays,
    BonusFor,
    Decision,
    bonus_part,
    recalled,
    remembered,
)
from phieb.learning.sarsa import SarsaLambda
from phieb.novelty import PhiBonus, VisitDensity


class CompiledLearner:
    """The same as `ComposedLearner`, to the last bits, of a screen in one call.

    Rows of features are looked up once, for the density and for the value. Screens are not checked:
    they come from the emulator.

    Args:
        features: φ.
        agent: learns and chooses.
        bonus: φ-EB, its density with the agent's active set; None for none.
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
        self._arrived, self._pseudocount = np.zeros(1), np.zeros(1)  # of the last state
        self._action: int | None = None
        self._make_room(0)
        self.use_clock(None)

    def use_clock(self, clock: NDArray[np.int64] | None) -> None:
        """Time the parts of every decision (`phieb.kernels.numba_support.clock`), or do not."""
        self._clock = clock
        self._main: Any = None  # the kernel, once it is known for what kinds of arrays

    def start(self, observation: NDArray[np.uint8]) -> Decision:
        """An episode begins."""
        self.features.reset()
        return self.start_from(self.features.active(observation))

    def learn(self, observation: NDArray[np.uint8], reward: float) -> Decision:
        """The last action led here, with this reward."""
        features, clock = self.features, self._clock
        self._ensure_room(features.room)
        turn = features.next_turn()
        if self._main is None:
            of = observation, reward, turn, self._held, clock
            self._main = straight(phi_eb.learn_from_screen, *of)
        action, bonus, count = self._main(observation, reward, turn, self._held, clock)
        if action == TOO_MANY:
            return self.learn_from(features.write_again(count), reward)
        return self._decided(action, bonus, count)

    def end(self, observation: NDArray[np.uint8], reward: float) -> Decision:
        """The last action led here, with this reward, and ended the episode."""
        return self.end_from(self.features.active(observation), reward)

    def start_from(self, ids: NDArray[np.int64]) -> Decision:
        """An episode begins with these features."""
        self._ensure_room(ids.size)
        return self._decided(phi_eb.start_from_ids(ids, self._held), 0.0, ids.size)

    def learn_from(self, ids: NDArray[np.int64], reward: float) -> Decision:
        """The last action led to these features, with this reward."""
        self._ensure_room(ids.size)
        action, bonus = phi_eb.learn_from_ids(ids, reward, self._held)
        return self._decided(action, bonus, ids.size)

    def end_from(self, ids: NDArray[np.int64], reward: float) -> Decision:
        """The last action led to these features, with this reward, and ended the episode."""
        self._ensure_room(ids.size)
        bonus = phi_eb.end_from_ids(ids, reward, self._held)
        return Decision(self._action or 0, bonus, self._pseudocount.item(), ids.size)

    def state(self) -> Arrays:
        """Everything learnt and the random streams, as arrays, for `restore`."""
        counted = {} if self._density is None else self._density.state()
        return {
            **self.agent.state(),
            **{f"{_PREFIX}{name}": array for name, array in counted.items()},
            **remembered(self._arrived.item(), self._pseudocount.item(), self._action),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` of a learner with the same parts returned, to the bit."""
        novelty, action = recalled(state)
        if self._density is not None:
            self._density.restore(bonus_part(state))
        self.agent.restore(state)
        (self._arrived[0], self._pseudocount[0]), self._action = novelty, action
        self._make_room(0)

    def _decided(self, action: int, bonus: float, num_active: int) -> Decision:
        self._action = self.agent.checked(action)
        return Decision(self._action, bonus, self._pseudocount.item(), num_active)

    def _ensure_room(self, num_ids: int) -> None:
        """Room for one more decision, of so many features; mostly there is."""
        self.agent.policy.make_room()
        most_rows = self._num_rows.item() + num_ids
        if self._updates_left == 0 or num_ids > self._most_ids or most_rows > self._most_rows:
            self._make_room(num_ids)
        self._updates_left -= 1

    def _make_room(self, num_ids: int) -> None:
        """Room for more, and the arrays to hand over, which may be others than before."""
        agent, active_set = self.agent, self.agent.active_set
        agent.make_room(num_ids)
        self._held = hold(Whole(agent.tables(), self._novelty()))
        self._num_rows, self._most_rows = active_set.rows.table.size, active_set.rows.capacity
        self._most_ids = active_set.tables.entered.size
        self._updates_left = agent.linear.updates_left

    def _novelty(self) -> Novelty | None:
        if self.bonus is None or self._density is None:
            return None
        self._density.make_room()
        return Novelty(
            beta=self.bonus.beta,
            kappa=self.bonus.kappa,
            first_sight=self._density.first_sight,
            per_feature=self.bonus.per_feature,
            on_arrival=self._on_arrival,
            counts=self._density.tables,
            bonus=self._arrived,
            pseudocount=self._pseudocount,
        )


def _shared_density(bonus: PhiBonus, agent: SarsaLambda) -> VisitDensity:
    """The density that is counted with, if it can be."""
    density = bonus.density
    if not isinstance(density, VisitDensity) or density.active_set is not agent.active_set:
        raise TypeError("bonus must have a VisitDensity with the agent's active set")
    if (density.estimator, density.unobserved) != ("kt", "leave-out"):
        raise ValueError('the density must have estimator "kt" and unobserved "leave-out"')
    return density
