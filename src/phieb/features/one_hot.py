"""One feature per state, for discrete observations."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments


class OneHot:
    """One feature for each value of a discrete observation: the tabular case.

    Args:
        observations: a Gymnasium `Discrete` space, or the number of states.

    Example:
        >>> OneHot(6).active(2)
        array([2])
    """

    def __init__(self, observations: spaces.Space[Any] | int) -> None:
        if isinstance(observations, spaces.Discrete):
            self._start = int(observations.start)
            self.size = int(observations.n)
        elif isinstance(observations, spaces.Space):
            raise TypeError(
                f"observations must be a Discrete space or a number of states, got {observations}"
            )
        else:
            self._start = 0
            self.size = arguments.whole("observations", observations, low=1)

    def __repr__(self) -> str:
        return f"OneHot({self.size} states)"

    def active(self, observation: object) -> NDArray[np.int64]:
        """(1,): the id of the observed state."""
        last = self._start + self.size - 1
        state = arguments.whole("observation", _scalar(observation), low=self._start, high=last)
        return np.array([state - self._start], np.int64)

    def describe(self, feature: int) -> str:
        """A state in words."""
        return f"state {self._start + arguments.whole('feature', feature, high=self.size - 1)}"

    def reset(self) -> None:
        """Do nothing: the map has no memory."""


def _scalar(observation: object) -> object:
    if isinstance(observation, np.ndarray) and observation.ndim == 0:
        return observation.item()
    return observation
