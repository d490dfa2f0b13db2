"""Sarsa-φ-EB: an agent and its bonus, joined so that a decision is one compiled call."""

from collections.abc import Mapping
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import BlobProst
from phieb.kernels import sarsa as kernels
from phieb.learning import SarsaLambda
from phieb.novelty import PhiBonus, VisitDensity


class Explorer:
    """Algorithm 1 between the features of a state and the next action.

    The same as telling the agent at every step what `PhiBonus.observe` returned, but that rows of
    features are looked up once, for the density and for the value. Ids are not checked: they come
    from a feature map.

    Args:
        agent: learns and chooses.
        bonus: the bonus, whose density is KT, leaves out what was never observed, and has the
            agent's active set; None for ε-greedy alone.
        bonus_for: reward an action with the bonus of the state it led to (as in the paper), or of
            the state it was taken in (as in the authors' program).
    """

    def __init__(
        self,
        agent: SarsaLambda,
        bonus: PhiBonus | None,
        bonus_for: Literal["arrival", "departure"] = "arrival",
    ) -> None:
        self.agent, self.bonus = agent, bonus
        on_arrival = arguments.one_of("bonus_for", bonus_for, ("arrival", "departure")) == "arrival"
        self._memory = np.zeros(2)
        if bonus is not None:
            self.density = cast(VisitDensity, bonus.density)
            first_sight = self.density.first_sight
            self._novelty = (bonus.beta, bonus.kappa, first_sight, on_arrival, self._memory)
        self._make_room(0)

    @property
    def pseudocount(self) -> float:
        """N̂ of the last state."""
        return float(self._memory[kernels.PSEUDOCOUNT])

    @property
    def num_active(self) -> int:
        """How many features are on."""
        return len(self.agent.active_set)

    @property
    def num_observed(self) -> int:
        """How many features have been on at least once."""
        return len(self.agent.active_set.rows)

    def start(self, ids: NDArray[np.int64]) -> int:
        """An episode starts with the features `ids`; returns the first action."""
        self._ensure_room(ids.size)
        if self.bonus is None:
            return self.agent.checked(kernels.start(ids, *self._tables))
        return self.agent.checked(kernels.start_exploring(ids, *self._tables))

    def learn(self, ids: NDArray[np.int64], reward: float) -> tuple[int, float]:
        """The last action led to `ids`, with this reward; returns the next action and the bonus."""
        self._ensure_room(ids.size)
        if self.bonus is None:
            return self.agent.checked(kernels.learn(ids, reward, 0.0, *self._tables)), 0.0
        action, bonus = kernels.explore(ids, reward, *self._tables)
        return self.agent.checked(action), bonus

    def learn_screen(
        self, features: BlobProst, screen: NDArray[np.uint8], reward: float
    ) -> tuple[int, float, int]:
        """`learn` from a screen in one call; also returns how many features are on.

        The screen is not checked: it comes from the emulator.
        """
        self._ensure_room(features.room)
        kernel = kernels.learn_screen if self.bonus is None else kernels.explore_screen
        action, bonus, count = kernel(screen, reward, features.next_turn(), *self._tables)
        if action == kernels.TOO_MANY:
            return *self.learn(features.write_again(count), reward), count
        return self.agent.checked(action), bonus, count

    def end(self, ids: NDArray[np.int64], reward: float) -> float:
        """The last action led to `ids` and ended the episode; returns the bonus."""
        self._ensure_room(ids.size)
        if self.bonus is None:
            kernels.end(reward, 0.0, *self._tables[2:])
            return 0.0
        return float(kernels.end_exploring(ids, reward, *self._tables))

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt and the random stream, as arrays, for `restore`."""
        counted = {} if self.bonus is None else self.density.state()
        return {**self.agent.state(), **counted, "novelty": self._memory.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` of an explorer with the same settings returned, to the bit."""
        novelty = np.asarray(arguments.part("state", state, "novelty"))
        if novelty.shape != (2,) or novelty.dtype != np.float64:
            raise ValueError("state['novelty'] must be two numbers")
        if self.bonus is not None:
            self.density.restore(state)
        self.agent.restore(state)
        self._memory[:] = novelty
        self._make_room(0)

    def _ensure_room(self, num_ids: int) -> None:
        """Room for one more decision, of so many features; mostly there is."""
        self.agent.policy.make_room()
        most_rows = int(self._num_rows[0]) + num_ids
        if self._updates_left == 0 or num_ids > self._most_ids or most_rows > self._most_rows:
            self._make_room(num_ids)
        self._updates_left -= 1

    def _make_room(self, num_ids: int) -> None:
        """Room for more, and the arrays to hand over, which may be others than before."""
        agent, active_set = self.agent, self.agent.active_set
        agent.make_room(num_ids)
        self._tables = agent.tables()
        if self.bonus is not None:
            self.density.make_room()
            self._tables = (*self._tables, tuple(self.density.tables), self._novelty)
        self._num_rows, self._most_rows = active_set.rows.table.size, active_set.rows.capacity
        self._most_ids = active_set.tables.entered.size
        self._updates_left = agent.linear.updates_left
