"""A square with known positions: a grid, or a continuous plane if moves are noisy."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments

_MOVES = np.array([[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]])


class Plane(gymnasium.Env[NDArray[np.float64], np.int64]):
    """Four moves of length 1 in a square of `size` × `size`, from one corner to the other.

    The start is the centre of the first cell. In the last cell the episode ends with a reward of 1.
    A coordinate that a move would take out of the square does not change.

    Args:
        size: length of a side, in cells.
        noise: standard deviation of the Gaussian noise added to both coordinates of a move. With 0
            the positions are the centres of the cells: the world is a grid.

    Example:
        >>> world = Plane(size=16)
        >>> position, _ = world.reset(seed=0)
        >>> world.step(np.int64(2))[0]
        array([1.5, 0.5])
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(self, size: int = 16, noise: float = 0.0) -> None:
        self.size = arguments.whole("size", size, low=2)
        self.noise = arguments.number("noise", noise, low=0.0)
        self.observation_space = spaces.Box(0.0, float(self.size), (2,), np.float64)
        self.action_space = spaces.Discrete(len(_MOVES))
        self._position: NDArray[np.float64] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Start in the centre of the first cell."""
        super().reset(seed=seed)
        self._position = np.array([0.5, 0.5])
        return self._position.copy(), {}

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Move; the episode ends in the last cell and is never truncated."""
        if self._position is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        if not self.action_space.contains(action):
            raise ValueError(f"action must be in {self.action_space}, got {action!r}")
        noise = self.noise * self.np_random.standard_normal(2)
        moved = self._position + _MOVES[action] + noise
        inside = (moved >= 0.0) & (moved < self.size)
        position = np.where(inside, moved, self._position)
        at_goal = bool(np.all(position >= self.size - 1))
        self._position = None if at_goal else position
        return position.copy(), float(at_goal), at_goal, False, {}
