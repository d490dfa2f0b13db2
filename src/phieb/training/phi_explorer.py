"""Sarsa-φ-EB: an agent and its bonus, joined so that a decision is one compiled call."""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from phieb.features import BlobProst
from phieb.kernels.linear.sarsa import TOO_MANY
from phieb.kernels.numba_support.jit import straight
from phieb.learning import SarsaLambda
from phieb.learning.dial import Dial
from phieb.novelty import PhiBonus, VisitDensity
from phieb.training.explorer import BonusFor, Explorer


class PhiExplorer(Explorer):
    """The same as telling the agent at every step what `PhiBonus.observe` returned.

    But rows of features are looked up once, for the density and for the value.

    Args:
        agent: learns and chooses.
        bonus: the bonus, whose density is KT, leaves out what was never observed, and has the
            agent's active set.
        bonus_for: as in `Explorer`.
        dial: as in `Explorer`.
    """

    main_kernel = "explore_screen"

    def __init__(
        self,
        agent: SarsaLambda,
        bonus: PhiBonus,
        bonus_for: BonusFor = "arrival",
        dial: Dial | None = None,
    ) -> None:
        self.density, self.phi = cast(VisitDensity, bonus.density), bonus
        super().__init__(agent, bonus, bonus_for=bonus_for, dial=dial)

    def start(self, ids: NDArray[np.int64], screen: NDArray[np.uint8] | None = None) -> int:
        """An episode starts with the features `ids`; returns the first action."""
        self._ensure_room(ids.size)
        return self._took(self.kernels.start_exploring(ids, *self._tables))

    def learn(
        self, ids: NDArray[np.int64], reward: float, screen: NDArray[np.uint8] | None = None
    ) -> tuple[int, float]:
        """The last action led to `ids`, with this reward; returns the next action and the bonus."""
        self._ensure_room(ids.size)
        action, bonus = self.kernels.explore(ids, reward, *self._tables)
        return self._took(action), bonus

    def learn_screen(
        self, features: BlobProst, screen: NDArray[np.uint8], reward: float
    ) -> tuple[int, float, int]:
        """`learn` from a screen in one call; also returns how many features are on."""
        self._ensure_room(features.room)
        seen = screen, reward, features.next_turn(), self._held
        if self._main is None:
            self._main = straight(self.kernels.explore_screen, *seen)
        action, bonus, count = self._main(*seen)
        if action == TOO_MANY:
            return *self.learn(features.write_again(count), reward), count
        return self._took(action), bonus, count

    def end(
        self, ids: NDArray[np.int64], reward: float, screen: NDArray[np.uint8] | None = None
    ) -> float:
        """The last action led to `ids` and ended the episode; returns the bonus."""
        self._ensure_room(ids.size)
        return float(self.kernels.end_exploring(ids, reward, *self._tables))

    def _counted(self) -> Mapping[str, NDArray[Any]]:
        return self.density.state()

    def _restore_counted(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.density.restore(state)

    def _all_tables(self) -> tuple[tuple[Any, ...], ...]:
        self.density.make_room()
        phi, first_sight = self.phi, self.density.first_sight
        how = (phi.beta, phi.kappa, first_sight, phi.per_feature)
        novelty = (*how, self._on_arrival, self._memory)
        return (*super()._all_tables(), tuple(self.density.tables), novelty)
