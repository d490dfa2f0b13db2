"""The objects in the view of a MiniGrid agent."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments

_CODES = 16  # an upper bound; MiniGrid has 11 objects, 6 colours, 4 states
_DIRECTIONS = 4


class GridObjects:
    """One feature for each object, colour and state in each cell of the view, and each direction.

    One feature per cell is active, and one for the direction. The mission is ignored.

    Args:
        observations: the observation space of a MiniGrid environment, a `Dict` with "image" and
            "direction".

    Example:
        >>> image = spaces.Box(0, 255, (7, 7, 3), np.uint8)
        >>> features = GridObjects(spaces.Dict({"image": image, "direction": spaces.Discrete(4)}))
        >>> features.active({"image": np.zeros((7, 7, 3), np.uint8), "direction": 2}).size
        50
    """

    def __init__(self, observations: spaces.Space[Any]) -> None:
        parts = dict(observations) if isinstance(observations, spaces.Dict) else {}
        self._shape: tuple[int, ...] = getattr(parts.get("image"), "shape", ())
        if "direction" not in parts or len(self._shape) != 3 or self._shape[2] != 3:
            raise TypeError(
                'observations must be a Dict with "direction" and an "image" of three codes per '
                f"cell, got {observations}"
            )
        num_cells = self._shape[0] * self._shape[1]
        self._first = np.arange(num_cells) * _CODES**3
        self.size = num_cells * _CODES**3 + _DIRECTIONS

    def __repr__(self) -> str:
        return f"GridObjects({self._shape[0]} x {self._shape[1]} cells and a direction)"

    def active(self, observation: Any) -> NDArray[np.int64]:
        """One id for each cell, in the order of the image, and one for the direction."""
        codes = np.asarray(arguments.part("observation", observation, "image"))
        if codes.shape != self._shape:
            raise ValueError(f"image must have shape {self._shape}, got {codes.shape}")
        if codes.min() < 0 or codes.max() >= _CODES:
            raise ValueError(
                f"image must hold codes from 0 to {_CODES - 1}, got {codes.min()} to "
                f"{codes.max()}: is it an RGB image?"
            )
        objects, colours, states = codes.reshape(-1, 3).astype(np.int64).T
        cells = self._first + (objects * _CODES + colours) * _CODES + states
        direction = arguments.part("observation", observation, "direction")
        facing = arguments.whole("direction", direction, high=_DIRECTIONS - 1)
        return np.append(cells, self.size - _DIRECTIONS + facing)

    def reset(self) -> None:
        """Do nothing: the map has no memory."""
