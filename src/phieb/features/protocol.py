"""The interface of feature maps."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.registry import Registry

FEATURES = Registry("features")
"""All feature maps, by name."""


class FeatureMap(Protocol):
    """φ: 𝒮 → {0, 1}^M (§3.1) in sparse form: the ids of the active features."""

    @property
    def size(self) -> int:
        """M, the number of possible features; ids are in [0, M)."""

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the features that are active in `observation`, each once."""

    def reset(self) -> None:
        """Forget earlier observations, at the start of an episode."""


def feature_map(name: str, features: Any) -> FeatureMap:
    """The argument, if it has the attributes of a feature map."""
    if not all(hasattr(features, part) for part in ("size", "active", "reset")):
        hint = "; a function goes into FromFunction" if callable(features) else ""
        raise TypeError(f"{name} must have size, active and reset, got {features!r}{hint}")
    arguments.whole(f"{name}.size", features.size, low=1)
    found: FeatureMap = features
    return found
