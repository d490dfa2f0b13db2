"""A sample of all that was seen, each observation with the same probability."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Reservoir:
    """Keeps at most `capacity` of the observations added, a uniform sample (Vitter 1985, R).

    While there are no more than `capacity`, all are kept, in their order.

    Args:
        capacity: how many are kept.
        shape: of an observation.
        dtype: of an observation.
        seed: of what is replaced. The draw at time t depends on the seed and t alone.

    Attributes:
        t: how many were added.

    Example:
        >>> reservoir = Reservoir(2, (), np.dtype(np.int64))
        >>> for number in range(100):
        ...     reservoir.add(np.int64(number))
        >>> reservoir.kept().size, reservoir.t
        (2, 100)
    """

    def __init__(
        self, capacity: int, shape: tuple[int, ...], dtype: np.dtype[Any], seed: int = 0
    ) -> None:
        self._all = np.empty((capacity, *shape), dtype)
        self._seed = seed
        self.t = 0

    def add(self, observation: ArrayLike) -> None:
        """One observation more."""
        place, capacity = self.t, len(self._all)
        if self.t >= capacity:
            place = int(np.random.default_rng([self._seed, self.t]).integers(self.t + 1))
        if place < capacity:
            self._all[place] = observation
        self.t += 1

    def kept(self) -> NDArray[Any]:
        """(n, …): a copy of what is kept."""
        return self._all[: self.t].copy()

    def restore(self, kept: NDArray[Any], t: int) -> None:
        """Continue with what was kept of t observations."""
        self._all[: len(kept)] = kept
        self.t = t
