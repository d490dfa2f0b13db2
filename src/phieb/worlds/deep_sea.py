"""Deep Sea (Osband et al. 2019; bsuite)."""

import numpy as np

from phieb import arguments
from phieb.worlds.tabular import Outcome, TabularWorld, tables

MOVE_COST = 0.01  # of an episode of only right moves
BEST_RETURN = 1.0 - MOVE_COST


class DeepSea(TabularWorld):
    """A diver sinks through N rows; only N consecutive moves to the right reach the treasure.

    States are row·N + column, and a terminal one, the sea floor. Which of the two actions moves
    right is random for each state. A move to the right costs 0.01/N and the treasure pays 1, so the
    best return is 0.99.

    Args:
        size: N.
        mapping_seed: of the random assignment of actions to moves.
    """

    def __init__(self, size: int = 10, mapping_seed: int = 0) -> None:
        self.size = arguments.whole("size", size, low=2)
        seed = arguments.whole("mapping_seed", mapping_seed)
        right = np.random.default_rng(seed).integers(2, size=(self.size, self.size))
        outcomes = [
            [
                self._move(row, column, goes_right=action == right[row, column])
                for action in range(2)
            ]
            for row in range(self.size)
            for column in range(self.size)
        ]
        floor = self.size**2
        outcomes.append([[(1.0, floor, 0.0)]] * 2)
        super().__init__(tables(outcomes, starts=[0], terminal=(floor,)))

    def _move(self, row: int, column: int, goes_right: bool) -> list[Outcome]:
        last = self.size - 1
        reward = -MOVE_COST / self.size if goes_right else 0.0
        if goes_right and row == column == last:
            reward += 1.0
        column = min(column + 1, last) if goes_right else max(column - 1, 0)
        below = (row + 1) * self.size + column if row < last else self.size**2
        return [(1.0, below, reward)]
