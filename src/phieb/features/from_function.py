"""A user-defined function as a feature map."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments


class FromFunction:
    """The features that a function of the observation returns.

    It returns either a boolean vector, one entry for each feature, or whole numbers, the ids of the
    active features, each once. Convert a vector of zeros and ones with `astype(bool)`.

    Args:
        function: takes an observation.
        size: the number of features, and the length of a vector; None: any ids >= 0.

    Example:
        >>> FromFunction(lambda x: [x > 0, x > 1, x > 2]).active(1.5)
        array([0, 1])
        >>> FromFunction(lambda x: [int(x)]).active(1.5)
        array([1])
    """

    def __init__(self, function: Callable[[Any], ArrayLike], size: int | None = None) -> None:
        if not callable(function):
            raise TypeError(f"function must be a function of the observation, got {function!r}")
        self._function = function
        most = arguments.MAX_ID + 1
        self._length = size  # of a vector; None: any length
        self.size = most if size is None else arguments.whole("size", size, low=1, high=most)

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the active features."""
        found = arguments.array("what function returns", self._function(observation))
        if found.dtype == bool:
            if found.ndim != 1 or found.size != (self._length or found.size):
                vector = f"a vector of {self._length or 'any number of'} booleans"
                raise ValueError(f"what function returns must be {vector}, got shape {found.shape}")
            found = np.flatnonzero(found)
        return arguments.feature_ids("what function returns", found, self.size)

    def reset(self) -> None:
        """Do nothing: a function has no memory."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "FromFunction":
        """The same object: a copy must share what the function belongs to, such as a network."""
        return self
