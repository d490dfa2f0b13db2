"""A bonus that looks at what the world shows, through a map of its own."""

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

from phieb.novelty.base import Bonus


class Sees(Protocol):
    """What a bonus that does not look at the agent's features makes of an observation."""

    def active(self, observation: Any, /) -> Any:
        """What the bonus observes."""


class ObservingBonus(Bonus):
    """Any bonus, told what `sees` makes of an observation instead of the agent's features.

    Args:
        bonus: how new that is.
        sees: a map of its own, such as `Grey` or `Bass`.
    """

    observes = "observation"

    def __init__(self, bonus: Bonus, sees: Sees) -> None:
        self.bonus, self.sees = bonus, sees

    @property
    def pseudocount(self) -> float:  # type: ignore[override]  # read only
        """Of the last observation, as the bonus has it."""
        return self.bonus.pseudocount

    @property
    def remembers(self) -> bool:
        """Whether it remembers the observation before."""
        return self.bonus.remembers

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Learn from an observation, and return the bonus of having made it."""
        return self.bonus.observe(self.sees.active(seen), action)

    def reset(self) -> None:
        """An episode starts."""
        self.bonus.reset()

    def settings(self) -> dict[str, Any]:
        """What the bonus was made with."""
        return {"sees": type(self.sees).__name__, **self.bonus.settings()}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays."""
        return self.bonus.state()

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        self.bonus.restore(state)
