"""Tile coding of continuous observations (Sutton & Barto 2018, §9.5.4)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from phieb import arguments

# Constants of splitmix64: the hash is the same on every machine and in every run.
_MULTIPLY_1, _MULTIPLY_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_GOLDEN, _WORD = 0x9E3779B97F4A7C15, 2**64 - 1


class Tiles:
    """Several grids over a box, each shifted by a fraction of a tile; one active tile per grid.

    Grid k of K is shifted by k·(1, 3, 5, …)/K tiles, modulo one: the asymmetric offsets that Sutton
    & Barto recommend; equal offsets would align the tiles along the diagonal. Values outside the
    bounds are clipped; an infinite one is an error.

    Args:
        observations: a Gymnasium `Box` of one dimension.
        bins: tiles per dimension, one number or one for each dimension.
        tilings: the number of grids.
        low: lower bounds to use instead of the space's; needed where those are infinite.
        high: upper bounds to use instead of the space's.
        hashed: None for exact ids, or the number of ids to hash the tiles into.

    Attributes:
        low: the lower bounds that are used.
        high: the upper bounds.

    Example:
        >>> box = spaces.Box(0.0, 1.0, (2,))
        >>> tiles = Tiles(box, bins=4, tilings=2)
        >>> tiles.size
        50
        >>> tiles.active([0.1, 0.9])
        array([ 3, 29])
    """

    def __init__(
        self,
        observations: spaces.Space[Any],
        bins: int | Sequence[int] = 8,
        tilings: int = 8,
        low: ArrayLike | None = None,
        high: ArrayLike | None = None,
        hashed: int | None = None,
    ) -> None:
        if not isinstance(observations, spaces.Box) or len(observations.shape) != 1:
            raise TypeError(f"observations must be a Box of one dimension, got {observations}")
        dims = arguments.whole("observations.shape[0]", observations.shape[0], low=1)
        self.low = _bounds("low", observations.low if low is None else low, dims)
        self.high = _bounds("high", observations.high if high is None else high, dims)
        with np.errstate(over="ignore"):
            self._width = self.high - self.low
        if not np.all((self._width > 0) & np.isfinite(self._width)):
            raise ValueError(
                f"low must be below high, and high - low finite, got {self.low} and {self.high}"
            )
        self.tilings = arguments.whole("tilings", tilings, low=1)
        self._bins = _bins(bins, dims)
        steps = np.arange(self.tilings)[:, None] * (2 * np.arange(dims) + 1)
        self._shift = (steps % self.tilings) / self.tilings
        # A shifted grid needs one more tile in each dimension to cover the box.
        self._strides = _strides(self._bins + 1)
        self._exact_size = self.tilings * int(np.prod(self._bins + 1, dtype=object))
        if hashed is None and self._exact_size > arguments.MAX_ID:
            raise ValueError(
                f"bins and tilings make {self._exact_size:.0e} tiles, too many for exact ids: "
                "pass hashed=N to hash them into N ids"
            )
        if hashed is not None:
            hashed = arguments.whole("hashed", hashed, low=1, high=arguments.MAX_ID)
        self._hashed = hashed
        self.size = self._exact_size if self._hashed is None else self._hashed

    def __repr__(self) -> str:
        each = np.unique(self._bins)
        bins = int(each[0]) if each.size == 1 else self._bins.tolist()
        hashed = "" if self._hashed is None else f", hashed into {self._hashed} ids"
        return f"Tiles({self._bins.size} components, {bins} bins, {self.tilings} tilings{hashed})"

    def active(self, observation: Any) -> NDArray[np.int64]:
        """The ids of the tiles, one per tiling, that contain `observation`.

        With `hashed`, two tiles of one observation may share an id, which is then listed once.
        """
        x = arguments.array("observation", observation, np.float64)
        if x.shape != self.low.shape:
            raise ValueError(f"observation must have shape {self.low.shape}, got {x.shape}")
        arguments.finite("observation", x)
        unit = (np.clip(x, self.low, self.high) - self.low) / self._width
        # The upper bound itself belongs to the last tile.
        inside = np.minimum(unit * self._bins, np.nextafter(self._bins.astype(float), 0.0))
        coordinates = np.floor(inside + self._shift).astype(np.int64)
        if self._hashed is None:
            first = np.arange(self.tilings) * (self._exact_size // self.tilings)
            ids: NDArray[np.int64] = first + coordinates @ self._strides
            return ids
        hashes = [_hash([k, *row]) % self._hashed for k, row in enumerate(coordinates.tolist())]
        return np.unique(np.array(hashes, np.int64))

    def describe(self, feature: int) -> str:
        """A tile in words; with `hashed` only its id, which may be of several tiles.

        Example:
            >>> Tiles(spaces.Box(0.0, 1.0, (2,)), bins=4, tilings=2).describe(29)
            'component 0 in 0 to 0.125, component 1 in 0.875 to 1; grid 1'
        """
        feature = arguments.whole("feature", feature, high=self.size - 1)
        if self._hashed is not None:
            return f"tiles with the hash {feature}"
        grid, tile = divmod(feature, self._exact_size // self.tilings)
        index = tile // self._strides % (self._bins + 1)
        edges = np.clip((np.stack([index, index + 1]) - self._shift[grid]) / self._bins, 0.0, 1.0)
        starts, ends = self.low + edges * self._width
        parts = [
            f"component {k} in {a:.3g} to {b:.3g}"
            for k, (a, b) in enumerate(zip(starts, ends, strict=True))
        ]
        return f"{', '.join(parts)}; grid {grid}"

    def reset(self) -> None:
        """Do nothing: the map has no memory."""


def _bounds(name: str, values: ArrayLike, dims: int) -> NDArray[np.float64]:
    try:
        bounds = np.broadcast_to(np.asarray(values, np.float64), (dims,)).copy()
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be one number or {dims} of them, got {values!r}") from None
    if not np.isfinite(bounds).all():
        raise ValueError(f"{name} must be finite in every dimension (pass {name}=…), got {bounds}")
    return bounds


def _bins(bins: int | Sequence[int], dims: int) -> NDArray[np.int64]:
    each = list(bins) if isinstance(bins, Sequence | np.ndarray) else [bins] * dims
    if len(each) != dims:
        raise ValueError(f"bins must be one number or {dims} of them, got {len(each)}")
    return np.array([arguments.whole("bins", b, low=1) for b in each], np.int64)


def _strides(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row-major strides; if they overflow, only hashed ids are allowed, which do not use them."""
    with np.errstate(over="ignore"):
        return np.append(np.cumprod(sizes[:0:-1])[::-1], 1).astype(np.int64)


def _hash(words: list[int]) -> int:
    """Splitmix64, applied successively to a list of whole numbers."""
    state = 0
    for word in words:
        z = state = (state + word + _GOLDEN) & _WORD
        z = ((z ^ (z >> 30)) * _MULTIPLY_1) & _WORD
        z = ((z ^ (z >> 27)) * _MULTIPLY_2) & _WORD
        state = z ^ (z >> 31)
    return state
