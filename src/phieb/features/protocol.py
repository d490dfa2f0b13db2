"""The one interface of all feature maps."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.registry import Registry

FEATURES = Registry("features")
"""All feature maps, by name."""


class FeatureMap(Protocol):
    """φ: 𝒮 → {0, 1}^M (§3.1), given sparsely: the ids of the features that are on."""

    @property
    def size(self) -> int:
        """M, the number of possible features; ids are in [0, M)."""

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the features that are on in `observation`, each once."""

    def reset(self) -> None:
        """Forget what came before: an episode starts."""


def feature_map(name: str, features: Any) -> FeatureMap:
    """What has all that a map needs."""
    if not all(hasattr(features, part) for part in ("size", "active", "reset")):
        hint = "; a function goes into FromFunction" if callable(features) else ""
        raise TypeError(f"{name} must have size, active and reset, got {features!r}{hint}")
    arguments.whole(f"{name}.size", features.size, low=1)
    found: FeatureMap = features
    return found
