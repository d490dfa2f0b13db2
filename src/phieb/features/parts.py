"""Several maps side by side, for observations in parts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features.protocol import FeatureMap


class Parts:
    """A map for each part of a `Dict` or `Tuple` observation, the ids of one after another's.

    Args:
        maps: by the names of the parts, or in their order. Parts without a map are not looked at.

    Example:
        >>> from phieb.features import Bits, OneHot
        >>> Parts({"room": OneHot(4), "keys": Bits(3)}).active({"room": 1, "keys": [1, 0, 1]})
        array([1, 4, 6])
    """

    def __init__(self, maps: Mapping[str, FeatureMap] | Sequence[FeatureMap]) -> None:
        self.maps = dict(maps if isinstance(maps, Mapping) else enumerate(maps))
        if not self.maps:
            raise ValueError("maps must hold at least one map, got none")
        for part, features in self.maps.items():
            if not hasattr(features, "size"):
                raise TypeError(f"maps[{part!r}] must be a feature map, got {features!r}")
        self.size = sum(features.size for features in self.maps.values())
        if self.size > arguments.MAX_ID:
            raise ValueError(
                f"maps must have fewer than 2**63 features in all, got {self.size}; "
                "a FromFunction among them needs a size"
            )

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the features that are on in any part, in the order of the maps."""
        first, ids = 0, []
        for part, features in self.maps.items():
            try:
                seen = observation[part]
            except (KeyError, IndexError):
                raise ValueError(f"observation must have {part!r}, which has a map") from None
            ids.append(first + features.active(seen))
            first += features.size
        return np.concatenate(ids)

    def reset(self) -> None:
        """An episode starts, for every part."""
        for features in self.maps.values():
            features.reset()
