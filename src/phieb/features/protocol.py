"""The one interface of all feature maps."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class FeatureMap(Protocol):
    """φ: 𝒮 → {0, 1}^M (§3.1), given sparsely: the ids of the features that are on."""

    @property
    def size(self) -> int:
        """M, the number of possible features; ids are in [0, M)."""

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the features that are on in `observation`, each once."""

    def reset(self) -> None:
        """Forget what came before: an episode starts."""
