"""A feature map for a space of observations."""

from typing import Any

import numpy as np
from gymnasium import spaces

from phieb.features.bits import Bits
from phieb.features.blob_prost import BlobProst
from phieb.features.colour_cells import ColourCells, is_picture
from phieb.features.grid_objects import GridObjects
from phieb.features.one_hot import OneHot
from phieb.features.one_hot_each import OneHotEach
from phieb.features.parts import Parts
from phieb.features.protocol import FEATURES, FeatureMap
from phieb.features.random_binary import RandomBinary, has_bounds
from phieb.features.ranges import Ranges
from phieb.features.screens import SCREEN
from phieb.features.tiles import Tiles

_MOST_TILED = 8  # dimensions; in more of them two observations hardly ever share a tile
_LARGEST_GRID = 32  # cells along a side; what is larger is a picture


def features_for(observations: spaces.Space[Any], ranges: Ranges | None = None) -> FeatureMap:
    """The map that suits a space, where you have none of your own.

    `Discrete`: `OneHot`. `MultiBinary`: `Bits`. `MultiDiscrete`: `OneHotEach`. MiniGrid's `Dict`:
    `GridObjects`. Other `Dict` and `Tuple`: `Parts`, by the same rules. `Box`: `Tiles` if it is a
    short vector with bounds, or if `ranges` are given; of pictures `BlobProst` where they have the
    shape of the console's screens in palette bytes, else `ColourCells`; otherwise `RandomBinary`.

    Args:
        observations: the space.
        ranges: where the components of a vector without bounds lie, see `ranges_of`.

    Raises:
        TypeError: there is none for such a space.

    Example:
        >>> features_for(spaces.Box(-1, 1, (2,)))
        Tiles(2 components, 8 bins, 8 tilings)
    """
    match observations:
        case spaces.Discrete():
            return OneHot(observations)
        case spaces.MultiBinary():
            return Bits(observations)
        case spaces.MultiDiscrete():
            return OneHotEach(observations)
        case spaces.Dict():
            if _is_grid(observations):
                return GridObjects(observations)
            return Parts({name: features_for(part) for name, part in observations.items()})
        case spaces.Tuple():
            return Parts([features_for(part) for part in observations])
        case spaces.Box():
            return _of_box(observations, ranges)
    raise TypeError(
        f"no feature map is known for {observations}: pass features=…, for instance "
        "FromFunction(function), Parts({name: map}) for some parts of a Dict, or GridObjects for "
        "MiniGrid"
    )


def wants_ranges(observations: spaces.Space[Any]) -> bool:
    """Whether `features_for` would make tiles if it knew the ranges of the observations."""
    if not isinstance(observations, spaces.Box) or not _is_short(observations):
        return False
    return not has_bounds(observations).all()


@FEATURES.declare("auto", label="what suits the observations")
def auto(observation_space: spaces.Space[Any], ranges: Ranges | None) -> FeatureMap:
    """The map that suits the observations, as `features_for` chooses it."""
    return features_for(observation_space, ranges)


def _of_box(box: spaces.Box, ranges: Ranges | None) -> FeatureMap:
    if is_picture(box):
        return BlobProst() if box.shape == SCREEN else ColourCells(box)
    if not _is_short(box) or (ranges is None and wants_ranges(box)):
        return RandomBinary(box)
    return Tiles(box) if ranges is None else Tiles(box, low=ranges.low, high=ranges.high)


def _is_short(box: spaces.Box) -> bool:
    return len(box.shape) == 1 and box.shape[0] <= _MOST_TILED


def _is_grid(parts: spaces.Dict) -> bool:
    """Whether it is what a MiniGrid agent sees: codes of a few cells, and no picture."""
    image, direction = parts.get("image"), parts.get("direction")
    if not isinstance(image, spaces.Box) or not isinstance(direction, spaces.Discrete):
        return False
    codes = image.dtype == np.uint8 and len(image.shape) == 3 and image.shape[2] == 3
    return codes and max(image.shape) < _LARGEST_GRID and int(direction.n) == 4
