"""The base class of bonuses that count visits in a table."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.novelty.base import Bonus


class VisitBonus(Bonus):
    """β/√N, where N counts occurrences of a key, including this one.

    Args:
        beta: β, the scale of the bonus.
        key_size: length of a key, in bytes.

    Attributes:
        pseudocount: N − 1 of the last observation (0 before the first).
    """

    def __init__(self, beta: float, key_size: int) -> None:
        self.beta = arguments.number("beta", beta, low=0.0)
        self.pseudocount = 0.0
        self._key_size = key_size
        self._counts: dict[bytes, int] = {}

    @property
    def num_observed(self) -> int:
        """The number of different keys counted."""
        return len(self._counts)

    def _worth(self, key: bytes) -> tuple[float, float]:
        """N − 1 and the bonus that counting a key would give; nothing is counted."""
        before = self._counts.get(key, 0)
        return float(before), self.beta / math.sqrt(before + 1)

    def _count(self, key: bytes) -> float:
        """Count a key; returns its bonus."""
        self.pseudocount, bonus = self._worth(key)
        self._counts[key] = int(self.pseudocount) + 1
        return bonus

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore` of a bonus with the same settings.

        Keys are in the order in which they were first counted.
        """
        keys = np.frombuffer(b"".join(self._counts), np.uint8).reshape(-1, self._key_size)
        return {
            "keys": keys.copy(),
            "counts": np.array(list(self._counts.values()), np.int64),
            "pseudocount": np.array([self.pseudocount]),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        keys = arguments.array_part("state", state, "keys", np.uint8, (None, self._key_size))
        counts = arguments.array_part("state", state, "counts", np.int64, (len(keys),))
        last = arguments.array_part("state", state, "pseudocount", np.float64, (1,)).item()
        if np.any(counts < 1):
            raise ValueError(f"state['counts'] must hold counts >= 1, got {counts.min()}")
        if last < 0.0:
            raise ValueError(f"state['pseudocount'] must be >= 0 or NaN, got {last}")
        raw, size = keys.tobytes(), self._key_size
        each = (raw[start : start + size] for start in range(0, len(raw), size))
        restored = dict(zip(each, counts.tolist(), strict=True))
        if len(restored) != len(keys):
            raise ValueError("state['keys'] must hold each key once")
        self._counts, self.pseudocount = restored, last
