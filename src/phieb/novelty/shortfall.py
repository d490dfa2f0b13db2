"""A bonus minus the largest bonus so far, for which initial values of zero are optimistic."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.novelty.around import BonusAround
from phieb.novelty.base import Bonus


class Shortfall(BonusAround):
    """R(φ) − (the largest R so far), which is never above 0.

    With initial values of zero, a positive bonus makes visited states more attractive than states
    never visited. A shortfall is a cost that grows with every visit, so states never visited look
    best. In a continuing task this is equivalent to initial values of (largest bonus)/(1 − γ). In
    an episodic task, ending the episode avoids all later costs; a split value with `continuing`
    does not have this incentive.

    Args:
        bonus: any bonus.

    Example:
        >>> from phieb.novelty import PhiBonus
        >>> short = Shortfall(PhiBonus(beta=0.1))
        >>> first, again, new = (round(short.observe([k]), 3) for k in (3, 3, 8))
        >>> first, again, new
        (0.0, -0.059, 0.0)
    """

    def __init__(self, bonus: Bonus) -> None:
        if not isinstance(bonus, Bonus):
            raise TypeError(f"bonus must be a phieb.novelty.Bonus, got {bonus!r}")
        super().__init__(bonus)
        self.observes = bonus.observes
        self.largest = 0.0

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Learn from an observation; returns the shortfall of its bonus."""
        plain = self.bonus.observe(seen, action)
        self.largest = max(self.largest, plain)
        return plain - self.largest

    def settings(self) -> dict[str, Any]:
        """The settings of the wrapped bonus, JSON-serialisable."""
        return {"shortfall_of": type(self.bonus).__name__, **self.bonus.settings()}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore`."""
        return {**self.bonus.state(), "largest": np.array([self.largest])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        largest = arguments.array_part("state", state, "largest", np.float64, (1,)).item()
        largest = arguments.number("state['largest']", largest, low=0.0)
        self.bonus.restore({name: part for name, part in state.items() if name != "largest"})
        self.largest = largest
