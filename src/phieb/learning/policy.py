"""Choosing an action from values."""

import numpy as np
from numpy.typing import NDArray

from phieb import arguments


class EpsilonGreedy:
    """With probability ε any action, else one of the best, ties broken at random.

    Args:
        epsilon: ε.
        rng: where the randomness comes from.
    """

    def __init__(self, epsilon: float, rng: np.random.Generator) -> None:
        self.epsilon = arguments.number("epsilon", epsilon, low=0.0, high=1.0)
        self.rng = rng

    def choose(self, q: NDArray[np.float64]) -> int:
        """An action, by its place in `q`."""
        if self.epsilon > 0.0 and self.rng.random() < self.epsilon:
            return int(self.rng.random() * q.size)
        best = np.flatnonzero(q == q.max())
        return int(best[int(self.rng.random() * best.size)] if best.size > 1 else best[0])
