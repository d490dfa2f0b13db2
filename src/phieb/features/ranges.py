"""Ranges of observations that have no bounds, learnt from what is seen."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb.features.random_binary import has_bounds

MARGIN = 0.5  # of the width that was seen, added at either side


class Ranges(NamedTuple):
    """Lower and upper ends of the components of a vector."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


def ranges_of(observations: spaces.Space[Any], seen: Iterable[Any]) -> Ranges:
    """The bounds of a space where it has some, elsewhere the range of what was seen, and a margin.

    Example:
        >>> box = spaces.Box(np.array([0.0, -np.inf]), np.array([1.0, np.inf]), dtype=np.float64)
        >>> low, high = ranges_of(box, [[0.5, -1.0], [0.5, 3.0]])
        >>> low.tolist(), high.tolist()
        ([0.0, -3.0], [1.0, 5.0])
    """
    if not isinstance(observations, spaces.Box):
        raise TypeError(f"observations must be a Box, got {observations}")
    all_seen = np.array([np.asarray(one, np.float64) for one in seen])
    low, high = all_seen.min(axis=0), all_seen.max(axis=0)
    margin = np.where(high > low, MARGIN * (high - low), 1.0)
    known = has_bounds(observations)
    return Ranges(
        np.where(known, observations.low, low - margin).astype(np.float64),
        np.where(known, observations.high, high + margin).astype(np.float64),
    )
