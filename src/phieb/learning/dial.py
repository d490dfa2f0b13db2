"""A dial: how much curiosity, chosen anew for every episode by the score of the game."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.tabular.bandit import upper_bounds

WEIGHTS = (0.0, 0.3, 1.0)  # of the intrinsic value


class Dial:
    """UCB1 over weights of the intrinsic value; an episode is a pull, its score the reward.

    UCB1 needs to know the size of the rewards: that is the standard deviation of all scores so
    far. As long as all scores are the same there is nothing to choose by, and the weight is 1.
    """

    def __init__(self) -> None:
        self._sums = np.zeros(len(WEIGHTS))
        self._pulls = np.zeros(len(WEIGHTS), np.int64)
        self._squares = 0.0
        self._arm = len(WEIGHTS) - 1

    @property
    def weight(self) -> float:
        """Of the episode under way."""
        return WEIGHTS[self._arm]

    @property
    def best(self) -> float:
        """The weight with the best mean score so far; 1 before the first episode is over."""
        if not self._pulls.any():
            return WEIGHTS[-1]
        means = np.where(self._pulls > 0, self._sums / np.maximum(self._pulls, 1), -np.inf)
        return WEIGHTS[int(means.size - 1 - means[::-1].argmax())]  # of equal ones the largest

    def end(self, score: float) -> None:
        """An episode is over; choose the weight of the next."""
        self._sums[self._arm] += score
        self._pulls[self._arm] += 1
        self._squares += score * score
        spread = self._spread()
        bounds = upper_bounds(self._sums, self._pulls, spread)
        self._arm = int(bounds.argmax()) if spread > 0.0 else len(WEIGHTS) - 1

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, as arrays, for `restore`."""
        others = [self._squares, float(self._arm)]
        return {"dial": np.concatenate([self._sums, self._pulls.astype(np.float64), others])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        n = len(WEIGHTS)
        all_ = arguments.array_part("state", state, "dial", np.float64, (2 * n + 2,))
        if not (np.isfinite(all_).all() and (all_[n : 2 * n] >= 0).all() and all_[-1] in range(n)):
            raise ValueError("state['dial'] must hold sums, counts and the place of a weight")
        self._sums, self._pulls = all_[:n].copy(), all_[n : 2 * n].astype(np.int64)
        self._squares, self._arm = float(all_[-2]), int(all_[-1])

    def _spread(self) -> float:
        """Standard deviation of all scores."""
        n = self._pulls.sum()
        mean = self._sums.sum() / n
        return float(np.sqrt(max(self._squares / n - mean * mean, 0.0)))
