"""The interface of worlds that agents are trained in."""

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
        """Frames of the current episode so far; steps in worlds without frames."""

    @property
    def room(self) -> int | None:
        """The current room; None in games other than Montezuma's Revenge."""

    @property
    def can_be_saved(self) -> bool:
        """Whether `state` can be called now."""

    def reset(self) -> tuple[Any, dict[str, Any]]:
        """Start an episode: its first observation, and info with the `frames` it took."""

    def decide(self, action: int, /) -> tuple[Any, float, bool, bool]:
        """One decision: observation, reward, terminated, truncated."""

    def state(self) -> dict[str, NDArray[Any]]:
        """The whole state, as arrays for `restore`."""

    def restore(self, state: Mapping[str, NDArray[Any]], /) -> tuple[Any, dict[str, Any]]:
        """Continue from a saved `state`; returns as `reset` does."""
