"""Observations with mean 0 and deviation 1, component by component."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments

CLIP = 5.0  # standard deviations


class Whitening(NamedTuple):
    """Mean and deviation of each component of what was observed (Welford 1962).

    Attributes:
        mean: of each component.
        squares: the sum of squares about the mean.
        t: how many observations.
    """

    mean: NDArray[np.float64]
    squares: NDArray[np.float64]
    t: int = 0

    @classmethod
    def of(cls, shape: tuple[int, ...]) -> "Whitening":
        """Of observations of this shape, before the first."""
        return cls(np.zeros(shape), np.zeros(shape))

    def with_one_more(self, seen: NDArray[np.float64]) -> "Whitening":
        """With one observation more."""
        t = self.t + 1
        before = seen - self.mean
        mean = self.mean + before / t
        return Whitening(mean, self.squares + before * (seen - mean), t)

    def apply(self, seen: ArrayLike) -> NDArray[np.float32]:
        """(x − mean)/deviation, clipped to ±5; 0 where nothing has ever changed."""
        deviation = np.sqrt(self.squares / self.t)
        white = (np.asarray(seen, np.float64) - self.mean) / np.where(deviation, deviation, 1.0)
        return np.clip(white, -CLIP, CLIP).astype(np.float32)

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, as arrays."""
        return {"mean": self.mean, "squares": self.squares, "t": np.array([self.t])}

    @classmethod
    def restored(cls, shape: tuple[int, ...], state: Mapping[str, NDArray[Any]]) -> "Whitening":
        """What `state` returned."""
        mean, squares = (
            arguments.array_part("state", state, name, np.float64, shape)
            for name in ("mean", "squares")
        )
        t = arguments.array_part("state", state, "t", np.int64, (1,)).item()
        if not (np.isfinite(mean).all() and np.isfinite(squares).all()):
            raise ValueError("state['mean'] and state['squares'] must hold finite numbers")
        if t < 0 or np.any(squares < 0.0):
            raise ValueError("state['t'] and state['squares'] must be >= 0")
        return cls(mean.copy(), squares.copy(), t)
