"""A function of your own as a feature map."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments


class FromFunction:
    """Features that a function of the observation finds.

    What it returns is a vector where it is made of booleans, one for each feature, and ids of the
    features that are on, each once, where it is made of whole numbers; a vector of zeros and ones
    must be made one of booleans, say with `astype(bool)`.

    Args:
        function: of an observation.
        size: how many features there are, and how long a vector is; None: any ids >= 0.

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
        self._length = size  # of a vector; None: any
        self.size = most if size is None else arguments.whole("size", size, low=1, high=most)

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the features that the function finds on."""
        found = arguments.array("what function returns", self._function(observation))
        if found.dtype == bool:
            if found.ndim != 1 or found.size != (self._length or found.size):
                vector = f"a vector of {self._length or 'any number of'} booleans"
                raise ValueError(f"what function returns must be {vector}, got shape {found.shape}")
            found = np.flatnonzero(found)
        return arguments.feature_ids("what function returns", found, self.size)

    def reset(self) -> None:
        """Nothing to forget: a function has no memory."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "FromFunction":
        """The same: nothing can change but what the function belongs to, say, a network."""
        return self
