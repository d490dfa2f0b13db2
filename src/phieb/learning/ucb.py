"""UCB1 (Auer et al. 2002), the origin of optimistic bonuses (§2.2)."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.tabular.bandit import upper_bounds
from phieb.learning.tabular import TabularAgent


class Ucb1(TabularAgent):
    """Takes the action that maximises Q̂(a) + scale·√(2 log t / N(a)), in any state.

    Args:
        actions: a Gymnasium `Discrete` space, or the number of arms.
        scale: the range of the rewards; 1 for rewards in [0, 1].
        seed: of the random numbers that break ties.
    """

    def __init__(
        self,
        actions: spaces.Space[Any] | int,
        *,
        scale: float = 1.0,
        seed: int | None = None,
    ) -> None:
        super().__init__(1, actions, epsilon=0.0, seed=seed)
        self.scale = arguments.number("scale", scale, low=0.0)
        self.sums = np.zeros(self.actions.count)
        self.pulls = np.zeros(self.actions.count, np.int64)

    def values(self, state: int) -> NDArray[np.float64]:
        """(action,): the upper confidence bounds."""
        bounds: NDArray[np.float64] = upper_bounds(self.sums, self.pulls, self.scale)
        return bounds

    def transition(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Count one pull."""
        self.sums[action] += reward
        self.pulls[action] += 1
