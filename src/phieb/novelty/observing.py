"""A bonus that observes through a feature map of its own."""

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

from phieb.novelty.around import BonusAround
from phieb.novelty.base import Bonus


class Sees(Protocol):
    """A map from observations to what a bonus observes."""

    def active(self, observation: Any, /) -> Any:
        """What the bonus observes."""


class ObservingBonus(BonusAround):
    """A bonus that observes the output of its own map instead of the agent's features.

    Args:
        bonus: the bonus.
        sees: its map, such as `Grey` or `Bass`.
    """

    observes = "observation"

    def __init__(self, bonus: Bonus, sees: Sees) -> None:
        super().__init__(bonus)
        self.sees = sees

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Learn from an observation; returns its bonus."""
        return self.bonus.observe(self.sees.active(seen), action)

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        return {"sees": type(self.sees).__name__, **self.bonus.settings()}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays."""
        return self.bonus.state()

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        self.bonus.restore(state)
