"""Choosing an action from values."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.tabular.chance import choose_with

_BLOCK = 1_024  # random numbers drawn at a time


class EpsilonGreedy:
    """The ε-greedy policy, with ties broken at random.

    Args:
        epsilon: ε.
        rng: the random generator; numbers are drawn from it in blocks.

    Attributes:
        numbers: (1024,): the current block, for the kernels.
        position: (1,): index of the next unused number.
    """

    def __init__(self, epsilon: float, rng: np.random.Generator) -> None:
        self.epsilon = arguments.number("epsilon", epsilon, low=0.0, high=1.0)
        self.rng = rng
        self.numbers = rng.random(_BLOCK)
        self.position = np.zeros(1, np.int64)

    def choose(self, q: NDArray[np.float64]) -> int:
        """An action, an index of `q` (action,)."""
        self.refill()
        return int(choose_with(q, self.epsilon, self.numbers, self.position))

    def refill(self) -> None:
        """Draw numbers if fewer than two, enough for one choice, are left."""
        if self.position.item() + 2 > self.numbers.size:
            unused = self.numbers[self.position[0] :].copy()
            self.numbers[: unused.size] = unused
            self.numbers[unused.size :] = self.rng.random(self.numbers.size - unused.size)
            self.position[0] = 0

    def state(self) -> dict[str, NDArray[Any]]:
        """The random stream, as arrays for `restore`."""
        stream = json.dumps(self.rng.bit_generator.state).encode()
        return {
            "stream": np.frombuffer(stream, np.uint8).copy(),
            "numbers": self.numbers.copy(),
            "position": self.position.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue the random stream of a saved `state`."""
        stream, numbers, position = (
            arguments.part("state", state, key) for key in ("stream", "numbers", "position")
        )
        rng = np.random.default_rng(0)
        try:
            rng.bit_generator.state = json.loads(bytes(stream))
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"state['stream'] must be a generator's state: {error}") from None
        numbers = np.asarray(numbers)
        if numbers.shape != (_BLOCK,) or numbers.dtype != np.float64:
            raise ValueError(f"state['numbers'] must be {_BLOCK} numbers")
        if not np.all((numbers >= 0.0) & (numbers < 1.0)):
            raise ValueError("state['numbers'] must be in [0, 1)")
        at = arguments.whole("state['position']", np.asarray(position).item(), high=_BLOCK)
        self.rng, self.numbers = rng, np.array(numbers)
        self.position = np.array([at])
