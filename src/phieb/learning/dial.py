"""A bandit that chooses the weight of the intrinsic value for each episode, by its score."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.tabular.bandit import upper_bounds

WEIGHTS = (0.0, 0.3, 1.0)  # the arms: weights of the intrinsic value


class Dial:
    """UCB1 over weights of the intrinsic value; an episode is a pull, its score the reward.

    UCB1 needs the scale of the rewards: the standard deviation of all scores so far. While all
    scores are equal, the weight is 1.
    """

    def __init__(self) -> None:
        self._sums = np.zeros(len(WEIGHTS))
        self._pulls = np.zeros(len(WEIGHTS), np.int64)
        self._squares = 0.0
        self._arm = len(WEIGHTS) - 1

    @property
    def weight(self) -> float:
        """The weight in the current episode."""
        return WEIGHTS[self._arm]

    @property
    def best(self) -> float:
        """The weight with the best mean score so far; 1 before the first score."""
        if not self._pulls.any():
            return WEIGHTS[-1]
        means = np.where(self._pulls > 0, self._sums / np.maximum(self._pulls, 1), -np.inf)
        return WEIGHTS[int(means.size - 1 - means[::-1].argmax())]  # ties: the largest weight

    def end(self, score: float) -> None:
        """Add the score of an episode, and choose the weight for the next."""
        self._sums[self._arm] += score
        self._pulls[self._arm] += 1
        self._squares += score * score
        spread = self._spread()
        bounds = upper_bounds(self._sums, self._pulls, spread)
        self._arm = int(bounds.argmax()) if spread > 0.0 else len(WEIGHTS) - 1

    def state(self) -> dict[str, NDArray[Any]]:
        """The whole state, as arrays for `restore`."""
        rest = [self._squares, float(self._arm)]
        return {"dial": np.concatenate([self._sums, self._pulls.astype(np.float64), rest])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        n = len(WEIGHTS)
        saved = arguments.array_part("state", state, "dial", np.float64, (2 * n + 2,))
        if not (
            np.isfinite(saved).all() and (saved[n : 2 * n] >= 0).all() and saved[-1] in range(n)
        ):
            raise ValueError("state['dial'] must hold sums, counts and the index of a weight")
        self._sums, self._pulls = saved[:n].copy(), saved[n : 2 * n].astype(np.int64)
        self._squares, self._arm = float(saved[-2]), int(saved[-1])

    def _spread(self) -> float:
        """The standard deviation of all scores."""
        n = self._pulls.sum()
        mean = self._sums.sum() / n
        return float(np.sqrt(max(self._squares / n - mean * mean, 0.0)))
