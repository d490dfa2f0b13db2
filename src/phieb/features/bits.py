"""One feature per bit, for binary observations."""

import math
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments


class Bits:
    """A binary vector as it is: the ids are the indices of the ones.

    Args:
        observations: a Gymnasium `MultiBinary` space, or the number of bits.

    Example:
        >>> Bits(4).active([0, 1, 0, 1])
        array([1, 3])
    """

    def __init__(self, observations: spaces.Space[Any] | int) -> None:
        if isinstance(observations, spaces.MultiBinary):
            self.size = math.prod(observations.shape)
        elif isinstance(observations, spaces.Space):
            raise TypeError(
                f"observations must be a MultiBinary space or a number of bits, got {observations}"
            )
        else:
            self.size = arguments.whole("observations", observations, low=1)

    def __repr__(self) -> str:
        return f"Bits({self.size})"

    def active(self, observation: Any) -> NDArray[np.int64]:
        """The indices of the ones, in ascending order."""
        bits = arguments.array("observation", observation).ravel()
        if bits.size != self.size:
            raise ValueError(f"observation must have {self.size} bits, got {bits.size}")
        if not np.isin(bits, (0, 1)).all():
            raise ValueError(f"observation must hold zeros and ones, got {observation!r}")
        return np.flatnonzero(bits).astype(np.int64)

    def reset(self) -> None:
        """Do nothing: the map has no memory."""
