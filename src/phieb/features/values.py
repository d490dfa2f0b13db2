"""The values of an observation themselves, for densities over non-binary features."""

import math
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments


class Values:
    """The components of an observation as they are, for `phieb.novelty.CountableDensity`.

    `active` returns values, not ids: other densities and agents cannot use this map.

    Args:
        observations: a Gymnasium `Discrete`, `MultiDiscrete`, `MultiBinary` or `Box` space, or the
            number of components.

    Example:
        >>> from phieb.novelty import CountableDensity, PhiBonus
        >>> values = Values(spaces.MultiDiscrete([4, 4]))
        >>> bonus = PhiBonus(density=CountableDensity(values.size))
        >>> bonus.observe(values.active([3, 3])) > bonus.observe(values.active([3, 3]))
        True
    """

    def __init__(self, observations: spaces.Space[Any] | int) -> None:
        if not isinstance(observations, spaces.Space):
            self.size = arguments.whole("observations", observations, low=1)
        elif observations.shape is not None:
            self.size = math.prod(observations.shape)
        else:
            raise TypeError(
                f"observations must be a space of arrays or of numbers, got {observations}"
            )

    def active(self, observation: Any) -> NDArray[Any]:
        """(size,): the values."""
        values = np.asarray(observation).ravel()
        if values.size != self.size:
            raise ValueError(f"observation must have {self.size} components, got {values.size}")
        return values

    def reset(self) -> None:
        """Do nothing: the map has no memory."""
