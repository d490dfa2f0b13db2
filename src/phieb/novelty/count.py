"""Exact counts of states, or of states and actions (MBIE-EB's bonus)."""

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
    """β/√N, with N how often exactly this was seen, this time included.

    With "state-action" it is the bonus of MBIE-EB (Strehl & Littman 2008): N(s, a) counts the
    observation before and the action that led from there to here. At an episode's start there is
    no such pair; the bonus is 0 and the pseudocount NaN.

    An observation may be a number, bytes, an array of any shape or a tuple of these; what is kept
    of it is a hash of 16 bytes (`phieb.novelty.digest`), so that screens need no more memory than
    numbers. Ids of features count in their order.

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
        self._before: bytes | None = None  # of a pair, the state

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Count what is seen, or the pair that led to it, and return the bonus."""
        arrived = digest("seen", seen)
        if self.of == "state":
            return self._count(arrived)
        if action is not None:
            action = arguments.whole("action", action)
        before, self._before = self._before, arrived
        if before is None or action is None:
            self.pseudocount = math.nan
            return 0.0
        return self._count(digest("pair", (before, action)))

    @property
    def remembers(self) -> bool:
        """Only pairs need the observation before."""
        return self.of == "state-action"

    def reset(self) -> None:
        """An episode starts: the next observation ends no pair."""
        self._before = None

    def settings(self) -> dict[str, Any]:
        """What the bonus was made with, as JSON would have it."""
        return {"beta": self.beta, "of": self.of}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays, for `restore` of a bonus with the same settings."""
        before = np.frombuffer(self._before or b"", np.uint8).copy()
        return {**super().state(), "before": before}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        before = arguments.array_part("state", state, "before", np.uint8, (None,)).tobytes()
        if len(before) not in (0, DIGEST_SIZE):
            raise ValueError(f"state['before'] must hold 0 or {DIGEST_SIZE}, got {len(before)}")
        super().restore(state)
        self._before = before or None
