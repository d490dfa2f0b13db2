"""Several maps side by side, for composite observations."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features.protocol import FeatureMap, feature_map


class Parts:
    """One map for each part of a `Dict` or `Tuple` observation; their ids follow each other.

    Args:
        maps: a dictionary by the names of the parts, or a list in their order. Parts without a map
            are ignored.

    Example:
        >>> from phieb.features import Bits, OneHot
        >>> Parts({"room": OneHot(4), "keys": Bits(3)}).active({"room": 1, "keys": [1, 0, 1]})
        array([1, 4, 6])
    """

    def __init__(self, maps: Mapping[str, FeatureMap] | Sequence[FeatureMap]) -> None:
        several = isinstance(maps, Mapping | Sequence)
        if not several or not maps:
            raise TypeError(f"maps must be a dictionary or a list of feature maps, got {maps!r}")
        named = maps.items() if isinstance(maps, Mapping) else enumerate(maps)
        self.maps = {part: feature_map(f"maps[{part!r}]", features) for part, features in named}
        self.size = sum(int(features.size) for features in self.maps.values())
        if self.size > arguments.MAX_ID:
            raise ValueError(
                f"maps must have fewer than 2**63 features in all, got {self.size}; "
                "a FromFunction among them needs a size"
            )

    def __repr__(self) -> str:
        return f"Parts({self.maps})"

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the active features of all parts, in the order of the maps."""
        first, ids = 0, []
        for part, features in self.maps.items():
            try:
                seen = observation[part]
            except (KeyError, IndexError, TypeError):
                raise ValueError(f"observation must have {part!r}, which has a map") from None
            name = f"maps[{part!r}].active(…)"
            ids.append(first + arguments.feature_ids(name, features.active(seen), features.size))
            first += int(features.size)
        return np.concatenate(ids)

    def reset(self) -> None:
        """Reset every map, at the start of an episode."""
        for features in self.maps.values():
            features.reset()
