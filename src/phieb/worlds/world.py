"""What a run asks of the world it lives in."""

from collections.abc import Mapping
from typing import Any, Protocol

from gymnasium import spaces
from numpy.typing import NDArray


class World(Protocol):
    """An environment with discrete actions that can be saved and restored."""

    action_space: spaces.Discrete
    observation_space: spaces.Space[Any]

    @property
    def frames(self) -> int:
        """Frames of this episode so far; where there are none, steps."""

    @property
    def room(self) -> int | None:
        """Which room the player is in, in games that tell."""

    @property
    def can_be_saved(self) -> bool:
        """Whether `state` can be called now."""

    def reset(self) -> tuple[Any, dict[str, Any]]:
        """A new episode: its first observation, and `frames` that were spent on it."""

    def decide(self, action: int, /) -> tuple[Any, float, bool, bool]:
        """One decision: observation, reward, ended, cut."""

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, as arrays, for `restore`."""

    def restore(self, state: Mapping[str, NDArray[Any]], /) -> tuple[Any, dict[str, Any]]:
        """Go on from what `state` returned; returns what `reset` does."""
