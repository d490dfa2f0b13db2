"""Random binary features, for observations that no other map fits."""

import math
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments

_UNBOUNDED = 1e6  # some environments give the largest float instead of infinity


class RandomBinary:
    """Signs of random projections: feature k is on if the k-th projection is positive.

    Observations at an angle α to each other differ in a share α/π of the features (Charikar 2002).
    Bounded components are first scaled to [−1, 1]. A constant component 1 is added, so that
    observations in the same direction but at different distances differ too.

    Args:
        observations: a Gymnasium `Box`, or the number of components.
        bits: the number of features.
        seed: of the random projections.

    Example:
        >>> features = RandomBinary(3, bits=8)
        >>> features.active([0.1, 0.2, 0.3])
        array([0, 1, 6])
    """

    def __init__(
        self, observations: spaces.Space[Any] | int, bits: int = 64, seed: int = 0
    ) -> None:
        if isinstance(observations, spaces.Box):
            num_components = arguments.whole("observations", math.prod(observations.shape), low=1)
            known = has_bounds(observations).ravel()
            low = np.where(known, observations.low.ravel(), -1.0)
            high = np.where(known, observations.high.ravel(), 1.0)
        elif isinstance(observations, spaces.Space):
            raise TypeError(
                f"observations must be a Box or a number of components, got {observations}"
            )
        else:
            num_components = arguments.whole("observations", observations, low=1)
            low, high = -np.ones(num_components), np.ones(num_components)
        self._middle, self._half = (low + high) / 2, (high - low) / 2
        self.size = arguments.whole("bits", bits, low=1)
        chance = np.random.default_rng(arguments.whole("seed", seed))
        self._planes = chance.standard_normal((self.size, num_components + 1))

    def __repr__(self) -> str:
        return f"RandomBinary({self._middle.size} components, {self.size} bits)"

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the projections that are positive."""
        given = arguments.array("observation", observation, np.float64)
        x = given.ravel()
        if x.size != self._middle.size:
            raise ValueError(f"observation must have {self._middle.size} components, got {x.size}")
        arguments.finite("observation", given)
        scaled = (x - self._middle) / self._half
        return np.flatnonzero(self._planes[:, 1:] @ scaled + self._planes[:, 0] > 0)

    def reset(self) -> None:
        """Do nothing: the map has no memory."""


def has_bounds(box: spaces.Box) -> NDArray[np.bool_]:
    """Which components of a `Box` have finite, meaningful bounds."""
    low, high = box.low.astype(float), box.high.astype(float)
    known: NDArray[np.bool_] = (
        (np.abs(low) < _UNBOUNDED) & (np.abs(high) < _UNBOUNDED) & (low < high)
    )
    return known
