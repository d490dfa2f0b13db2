"""Observations as they are, for bonuses that look at them themselves."""

import math
from typing import Any

from gymnasium import spaces


class Unchanged:
    """The observation itself: for a bonus whose `observes` is "observation", or for `CountBonus`.

    `active` returns no ids: agents and densities cannot use this map.

    Args:
        observations: the space.

    Example:
        >>> from phieb.novelty import CountBonus
        >>> pictures, bonus = Unchanged(spaces.Box(0, 255, (8, 8, 3))), CountBonus(beta=1.0)
        >>> bonus.observe(pictures.active([[7, 0], [0, 7]]))
        1.0
    """

    def __init__(self, observations: spaces.Space[Any]) -> None:
        if not isinstance(observations, spaces.Space):
            raise TypeError(f"observations must be a Gymnasium space, got {observations!r}")
        self.size = math.prod(observations.shape or (1,))

    def __repr__(self) -> str:
        return "Unchanged()"

    def active(self, observation: Any) -> Any:
        """What it was given."""
        return observation

    def reset(self) -> None:
        """Do nothing: the map has no memory."""
