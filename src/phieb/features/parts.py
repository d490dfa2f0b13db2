"""Several maps side by side, for observations in parts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features.protocol import FeatureMap, feature_map


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

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the features that are on in any part, in the order of the maps."""
        first, ids = 0, []
        for part, features in self.maps.items():
            try:
                seen = observation[part]
            except (KeyError, IndexError, TypeError):
                raise ValueError(f"observation must have {part!r}, which has a map") from None
            name = f"what maps[{part!r}] makes of it"
            ids.append(first + arguments.feature_ids(name, features.active(seen), features.size))
            first += int(features.size)
        return np.concatenate(ids)

    def reset(self) -> None:
        """An episode starts, for every part."""
        for features in self.maps.values():
            features.reset()
