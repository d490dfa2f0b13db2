"""A feature map for a space of observations."""

from typing import Any

from gymnasium import spaces

from phieb.features.bits import Bits
from phieb.features.one_hot import OneHot
from phieb.features.one_hot_each import OneHotEach
from phieb.features.parts import Parts
from phieb.features.protocol import FEATURES, FeatureMap
from phieb.features.random_binary import RandomBinary, has_bounds
from phieb.features.tiles import Tiles

_MOST_TILED = 8  # dimensions; in more of them two observations hardly ever share a tile


def features_for(observations: spaces.Space[Any]) -> FeatureMap:
    """The map that suits a space, where you have none of your own.

    `Discrete`: `OneHot`. `MultiBinary`: `Bits`. `MultiDiscrete`: `OneHotEach`. `Dict` and `Tuple`:
    `Parts`, by the same rules. `Box`: `Tiles` if it is a short vector with bounds, else
    `RandomBinary`.

    Raises:
        TypeError: there is none for such a space.

    Example:
        >>> type(features_for(spaces.Box(-1, 1, (2,)))).__name__
        'Tiles'
    """
    match observations:
        case spaces.Discrete():
            return OneHot(observations)
        case spaces.MultiBinary():
            return Bits(observations)
        case spaces.MultiDiscrete():
            return OneHotEach(observations)
        case spaces.Dict():
            return Parts({name: features_for(part) for name, part in observations.items()})
        case spaces.Tuple():
            return Parts([features_for(part) for part in observations])
        case spaces.Box():
            tiled = _can_be_tiled(observations)
            return Tiles(observations) if tiled else RandomBinary(observations)
    raise TypeError(
        f"no feature map is known for {observations}: pass features=…, for instance "
        "FromFunction(function), Parts({name: map}) for some parts of a Dict, or GridObjects for "
        "MiniGrid"
    )


@FEATURES.declare("auto", label="what suits the observations")
def auto(observation_space: spaces.Space[Any]) -> FeatureMap:
    """The map that suits the observations, as `features_for` chooses it."""
    return features_for(observation_space)


def _can_be_tiled(box: spaces.Box) -> bool:
    short = len(box.shape) == 1 and box.shape[0] <= _MOST_TILED
    return short and bool(has_bounds(box).all())
