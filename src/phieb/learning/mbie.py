"""MBIE-EB (Strehl & Littman 2008), the tabular method closest to φ-EB (§2.2)."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.tabular.model import MbieSettings, mbie_learn, new_model
from phieb.learning.tabular import TabularAgent


class MbieEb(TabularAgent):
    """Plans on an empirical model: Q̃(s, a) = R̂ + β/√N(s, a) + γ Σ P̂ max Q̃.

    Pairs (s, a) never tried have the largest possible value, (r_max + β)/(1 − γ).

    Args:
        num_states: states are 0..num_states − 1, given as one-hot features.
        actions: a Gymnasium `Discrete` space, or the number of actions.
        beta: β, in units of reward.
        r_max: the largest possible reward.
        gamma: γ, below 1.
        seed: of the random numbers that break ties.
    """

    def __init__(
        self,
        num_states: int,
        actions: spaces.Space[Any] | int,
        *,
        beta: float,
        r_max: float,
        gamma: float = 0.95,
        seed: int | None = None,
    ) -> None:
        super().__init__(num_states, actions, epsilon=0.0, seed=seed)
        self._settings = mbie_settings(beta, r_max, gamma)
        self.model = new_model(self.num_states, self.actions.count, self._settings.unvisited)

    def values(self, state: int) -> NDArray[np.float64]:
        """Q̃(s, ·)."""
        row: NDArray[np.float64] = self.model.q[state]
        return row

    def transition(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Count one transition, then replan."""
        mbie_learn(self.model, self._settings, state, action, reward, next_state)


def mbie_settings(beta: float, r_max: float, gamma: float) -> MbieSettings:
    """Validated settings of MBIE-EB; value iteration stops at 10⁻⁶ of the largest value."""
    beta = arguments.number("beta", beta, low=0.0)
    r_max = arguments.number("r_max", r_max, above=0.0)
    gamma = arguments.number("gamma", gamma, low=0.0, high=0.9999)
    largest = (r_max + beta) / (1.0 - gamma)
    return MbieSettings(beta, gamma, unvisited=largest, tolerance=1e-6 * largest)
