"""What deep agents see: the last few pictures, in grey."""

import math
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb.features.grey import Grey
from phieb.worlds.names import is_atari

SHAPE = (84, 84)  # of a picture, as in Mnih et al. (2015)
STACKED = 4  # pictures
SMALLEST = 36  # height and width that the convolutions need


class Sight:
    """The last pictures as one array, the newest last; an episode starts with copies of its first.

    Atari screens become 84 × 84 pixels of luminance (`Grey`). Other pictures are enlarged by a
    whole factor if they are smaller than 36 × 36, and averaged to 84 × 84 if they are larger.

    Args:
        observation_space: of palette screens in Atari games, else of pictures (height, width) or
            (height, width, 1 or 3) of bytes.
        game: its name, which says whether it is an Atari game.
        stacked: how many pictures.

    Attributes:
        shape: height and width of a picture.
        space: what `active` returns.
    """

    def __init__(
        self, observation_space: spaces.Space[Any], game: str, stacked: int = STACKED
    ) -> None:
        self._palette = Grey(SHAPE, levels=256) if is_atari(game) else None
        if self._palette is None:
            size = _picture_size(observation_space)
            self.shape, self._factor = _shape_for(size)
            self._rows, self._columns = (
                averages(n, m) for n, m in zip(size, self.shape, strict=True)
            )
        else:
            self.shape = SHAPE
        self.space = spaces.Box(0, 255, (stacked, *self.shape), np.uint8)
        self.stack = np.zeros((stacked, *self.shape), np.uint8)
        self._is_first = True

    def active(self, observation: Any) -> NDArray[np.uint8]:
        """(stacked, height, width): the last pictures; a new array."""
        picture = self.picture(observation)
        if self._is_first:
            self.stack[:], self._is_first = picture, False
        else:
            self.stack[:-1] = self.stack[1:]
            self.stack[-1] = picture
        return self.stack.copy()

    def reset(self) -> None:
        """Start an episode: forget all pictures."""
        self._is_first = True

    def restore(self, stack: NDArray[np.uint8]) -> None:
        """Continue an episode after these pictures."""
        self.stack[:], self._is_first = stack, False

    def picture(self, observation: Any) -> NDArray[np.uint8]:
        """(height, width): one observation."""
        if self._palette is not None:
            return self._palette.active(observation)
        pixels = np.asarray(observation)
        if pixels.ndim == 3:
            pixels = pixels @ _WEIGHTS[pixels.shape[2]]
        if self._factor is not None:
            return np.kron(pixels, self._factor).astype(np.uint8)
        averaged: NDArray[np.float64] = self._rows @ pixels @ self._columns.T
        return (averaged + 1e-6).astype(np.uint8)


_WEIGHTS = {1: np.ones(1), 3: np.array([0.299, 0.587, 0.114])}


def averages(many: int, few: int) -> NDArray[np.float64]:
    """(few, many): each row averages an equal part of so many values."""
    edges = np.linspace(0.0, many, few + 1)
    low, high = np.maximum(edges[:-1, None], np.arange(many)), edges[1:, None]
    overlap = np.minimum(high, np.arange(1, many + 1)) - low
    shares: NDArray[np.float64] = np.clip(overlap, 0.0, 1.0) * (few / many)
    return shares


def _picture_size(space: spaces.Space[Any]) -> tuple[int, int]:
    is_picture = (
        isinstance(space, spaces.Box)
        and space.dtype == np.uint8
        and (len(space.shape) == 2 or (len(space.shape) == 3 and space.shape[2] in _WEIGHTS))
    )
    if not is_picture:
        raise ValueError(
            "a deep agent sees pictures: observations must be a Box of uint8 (height, width) or "
            f"(height, width, 3), got {space}"
        )
    assert space.shape is not None
    return space.shape[0], space.shape[1]


def _shape_for(size: tuple[int, int]) -> tuple[tuple[int, int], NDArray[np.uint8] | None]:
    """The shape that pictures of a size get, and the factor that they are enlarged by, if any."""
    if min(size) < SMALLEST:
        factor = math.ceil(SMALLEST / min(size))
        return (factor * size[0], factor * size[1]), np.ones((factor, factor), np.uint8)
    return (SHAPE if max(size) > max(SHAPE) else size), None
