"""Choosing an action from values."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.tabular.chance import choose_with

_DRAWN = 1_024  # random numbers at a time


class EpsilonGreedy:
    """With probability ε any action, else one of the best, ties broken at random.

    Args:
        epsilon: ε.
        rng: where the randomness comes from; numbers are drawn from it in advance.

    Attributes:
        numbers: random numbers, for the kernels; those from `position` on are still to be used.
        position: one number.
    """

    def __init__(self, epsilon: float, rng: np.random.Generator) -> None:
        self.epsilon = arguments.number("epsilon", epsilon, low=0.0, high=1.0)
        self.rng = rng
        self.numbers = rng.random(_DRAWN)
        self.position = np.zeros(1, np.int64)

    def choose(self, q: NDArray[np.float64]) -> int:
        """An action, by its place in `q`."""
        self.make_room()
        return int(choose_with(q, self.epsilon, self.numbers, self.position))

    def make_room(self) -> None:
        """Have enough numbers for one choice."""
        if self.position.item() + 2 > self.numbers.size:
            left = self.numbers[self.position[0] :].copy()
            self.numbers[: left.size] = left
            self.numbers[left.size :] = self.rng.random(self.numbers.size - left.size)
            self.position[0] = 0

    def state(self) -> dict[str, NDArray[Any]]:
        """The random stream as it stands, for `restore`."""
        stream = json.dumps(self.rng.bit_generator.state).encode()
        return {
            "stream": np.frombuffer(stream, np.uint8).copy(),
            "numbers": self.numbers.copy(),
            "position": self.position.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on with the random stream that `state` returned."""
        stream, numbers, position = (
            arguments.part("state", state, key) for key in ("stream", "numbers", "position")
        )
        rng = np.random.default_rng(0)
        try:
            rng.bit_generator.state = json.loads(bytes(stream))
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"state['stream'] must be of a random generator: {error}") from None
        numbers = np.asarray(numbers)
        if numbers.shape != (_DRAWN,) or numbers.dtype != np.float64:
            raise ValueError(f"state['numbers'] must be {_DRAWN} numbers")
        if not np.all((numbers >= 0.0) & (numbers < 1.0)):
            raise ValueError("state['numbers'] must be in [0, 1)")
        at = arguments.whole("state['position']", np.asarray(position).item(), high=_DRAWN)
        self.rng, self.numbers = rng, np.array(numbers)
        self.position = np.array([at])
