"""A bonus as what it falls short of the largest so far: values that start at zero are then high."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.novelty.around import BonusAround
from phieb.novelty.base import Bonus


class Shortfall(BonusAround):
    """R(φ) − (the largest R so far): never above 0, and 0 for what is as new as anything was.

    A bonus shrinks with every visit. Where values start at zero, every state that was visited has
    a positive value and every other state has none, so a greedy agent returns to where it has been.
    A shortfall is a cost that grows with every visit: what was never visited looks best. In a task
    without an end it equals a start of the values at (the largest bonus)/(1 − γ). In an episodic
    task an end saves all later costs; a split value that continues past the end does not see that.

    Args:
        bonus: any.

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
        """Learn from an observation, and return the shortfall of its bonus."""
        plain = self.bonus.observe(seen, action)
        self.largest = max(self.largest, plain)
        return plain - self.largest

    def settings(self) -> dict[str, Any]:
        """What the bonus was made with."""
        return {"shortfall_of": type(self.bonus).__name__, **self.bonus.settings()}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, and the largest bonus so far."""
        return {**self.bonus.state(), "largest": np.array([self.largest])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        largest = arguments.array_part("state", state, "largest", np.float64, (1,)).item()
        largest = arguments.number("state['largest']", largest, low=0.0)
        self.bonus.restore({name: part for name, part in state.items() if name != "largest"})
        self.largest = largest
