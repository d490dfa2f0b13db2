"""A game of a few pixels: catch the ball that falls."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

SIDE = 5


class Catch(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """The paddle in the last row stays or moves by a pixel; a ball that is caught is worth 1.

    A random policy catches less than one in two.
    """

    def __init__(self) -> None:
        self.observation_space = spaces.Box(0, 255, (SIDE, SIDE), np.uint8)
        self.action_space = spaces.Discrete(3)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        self.row, self.paddle = 0, SIDE // 2
        self.column = int(self.np_random.integers(SIDE))
        return self.picture(), {}

    def step(self, action: np.int64) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        self.paddle = min(max(self.paddle + int(action) - 1, 0), SIDE - 1)
        self.row += 1
        over = self.row == SIDE - 1
        return self.picture(), float(over and self.paddle == self.column), over, False, {}

    def picture(self) -> NDArray[np.uint8]:
        pixels = np.zeros((SIDE, SIDE), np.uint8)
        pixels[self.row, self.column] = 255
        pixels[-1, self.paddle] = 255
        return pixels
