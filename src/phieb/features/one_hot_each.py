"""One feature per value of each component, for vectors of discrete values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments


class OneHotEach:
    """One-hot coding of every component of a vector; one feature per component is active.

    Args:
        observations: a Gymnasium `MultiDiscrete` space, or the number of values of each component.

    Example:
        >>> OneHotEach([3, 5]).active([2, 0])
        array([2, 3])
    """

    def __init__(self, observations: spaces.Space[Any] | Sequence[int] | NDArray[np.int64]) -> None:
        if isinstance(observations, spaces.MultiDiscrete):
            self._values = observations.nvec.astype(np.int64).ravel()
            self._start = observations.start.astype(np.int64).ravel()
        elif isinstance(observations, Sequence | np.ndarray) and len(observations):
            each = [arguments.whole("observations", n, low=1) for n in observations]
            self._values = np.array(each, np.int64)
            self._start = np.zeros_like(self._values)
        else:
            raise TypeError(
                "observations must be a MultiDiscrete space or a list of numbers of values, "
                f"got {observations!r}"
            )
        ends = np.cumsum(self._values)
        self._first = ends - self._values
        self.size = int(ends[-1])

    def __repr__(self) -> str:
        return f"OneHotEach({self._values.size} components, {self.size} values)"

    def active(self, observation: Any) -> NDArray[np.int64]:
        """One id for each component, in their order."""
        values = np.asarray(observation).ravel()
        if values.dtype.kind not in "iu" or values.size != self._values.size:
            raise ValueError(
                f"observation must be {self._values.size} whole numbers, got {observation!r}"
            )
        places = values.astype(np.int64) - self._start
        if np.any((places < 0) | (places >= self._values)):
            lasts = (self._start + self._values - 1).tolist()
            raise ValueError(
                f"observation must be from {self._start.tolist()} to {lasts}, got {observation!r}"
            )
        return self._first + places

    def reset(self) -> None:
        """Do nothing: the map has no memory."""
