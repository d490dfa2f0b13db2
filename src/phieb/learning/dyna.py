"""Dyna-Q+ (Sutton 1990): a bonus for actions not tried for a long time (§2.2, footnote)."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.tabular.model import DynaSettings, dyna_learn, new_model
from phieb.learning.tabular import TabularAgent


class DynaQPlus(TabularAgent):
    """Q-learning, plus planning backups with reward r̂ + κ√τ, τ steps after (s, a) was last tried.

    Backups use the mean over all observed outcomes of (s, a), not only the last one, since worlds
    may be stochastic.

    Args:
        num_states: states are 0..num_states − 1, given as one-hot features.
        actions: a Gymnasium `Discrete` space, or the number of actions.
        kappa: κ, in units of reward.
        alpha: α, the step size.
        gamma: γ, the discount.
        epsilon: ε of the ε-greedy policy.
        num_backups: planning backups per step.
        seed: of the random numbers.
    """

    def __init__(
        self,
        num_states: int,
        actions: spaces.Space[Any] | int,
        *,
        kappa: float,
        alpha: float = 0.5,
        gamma: float = 0.95,
        epsilon: float = 0.0,
        num_backups: int = 10,
        seed: int | None = None,
    ) -> None:
        super().__init__(num_states, actions, epsilon, seed)
        self._settings = dyna_settings(kappa, alpha, gamma, epsilon, num_backups)
        self.model = new_model(self.num_states, self.actions.count, 0.0)

    def values(self, state: int) -> NDArray[np.float64]:
        """Q(s, ·)."""
        row: NDArray[np.float64] = self.model.q[state]
        return row

    def transition(self, state: int, action: int, reward: float, next_state: int) -> None:
        """One Q-learning update, then planning."""
        dyna_learn(self.model, self._settings, state, action, reward, next_state, self.rng)


def dyna_settings(
    kappa: float, alpha: float, gamma: float, epsilon: float, num_backups: int
) -> DynaSettings:
    """Validated settings of Dyna-Q+."""
    return DynaSettings(
        arguments.number("kappa", kappa, low=0.0),
        arguments.number("alpha", alpha, above=0.0, high=1.0),
        arguments.number("gamma", gamma, low=0.0, high=1.0),
        arguments.number("epsilon", epsilon, low=0.0, high=1.0),
        arguments.whole("num_backups", num_backups),
    )
