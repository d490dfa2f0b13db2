"""Exact counts of states or of state-action pairs (the bonus of MBIE-EB)."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.novelty.base import BONUSES
from phieb.novelty.digest import DIGEST_SIZE, digest
from phieb.novelty.visits import VisitBonus


@BONUSES.declare("count", label="count", citation="Strehl & Littman 2008")
class CountBonus(VisitBonus):
    """β/√N, where N counts occurrences of the same observation, including this one.

    With "state-action" it is the bonus of MBIE-EB (Strehl & Littman 2008): N(s, a) counts the
    previous observation together with the action taken there. At the start of an episode there is
    no such pair; the bonus is 0 and the pseudocount NaN.

    An observation is a number, bytes, an array of any shape, or a tuple of these. Only a hash of 16
    bytes is stored (`phieb.novelty.digest`), so that screens need no more memory than numbers.
    Feature ids in a different order are a different observation.

    Args:
        beta: β, the scale of the bonus.
        of: "state" or "state-action".

    Attributes:
        pseudocount: N − 1 of the last observation (0 before the first).

    Example:
        >>> bonus = CountBonus(beta=1.0)
        >>> [round(bonus.observe(state), 3) for state in (7, 7, 8, 7)]
        [1.0, 0.707, 1.0, 0.577]
    """

    def __init__(
        self, beta: float = 0.05, *, of: Literal["state", "state-action"] = "state"
    ) -> None:
        super().__init__(beta, DIGEST_SIZE)
        self.of = arguments.one_of("of", of, ("state", "state-action"))
        self._before: bytes | None = None  # digest of the previous observation

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Count the observation, or the pair that led to it; returns the bonus."""
        current = digest("seen", seen)
        if self.of == "state":
            return self._count(current)
        if action is not None:
            action = arguments.whole("action", action)
        before, self._before = self._before, current
        if before is None or action is None:
            self.pseudocount = math.nan
            return 0.0
        return self._count(digest("pair", (before, action)))

    @property
    def remembers(self) -> bool:
        """Whether it remembers the previous observation: only for pairs."""
        return self.of == "state-action"

    def reset(self) -> None:
        """Start an episode: the next observation completes no pair."""
        self._before = None

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        return {"beta": self.beta, "of": self.of}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore` of a bonus with the same settings."""
        before = np.frombuffer(self._before or b"", np.uint8).copy()
        return {**super().state(), "before": before}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        before = arguments.array_part("state", state, "before", np.uint8, (None,)).tobytes()
        if len(before) not in (0, DIGEST_SIZE):
            raise ValueError(f"state['before'] must hold 0 or {DIGEST_SIZE}, got {len(before)}")
        super().restore(state)
        self._before = before or None
