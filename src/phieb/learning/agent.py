"""The one interface of all agents, and what their constructors share."""

from typing import Any, Protocol

from gymnasium import spaces
from numpy.typing import ArrayLike

from phieb import arguments


class Agent(Protocol):
    """Learns from features, reward and bonus; chooses actions. Three calls make an episode."""

    def start(self, active: ArrayLike, /) -> int:
        """An episode starts with the features `active`; returns the first action."""

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0, /) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""

    def end(self, reward: float, bonus: float = 0.0, /) -> None:
        """The last action ended the episode, with this reward and bonus."""


class Actions:
    """A discrete action set: agents count actions from 0, environments may start elsewhere."""

    def __init__(self, actions: spaces.Space[Any] | int) -> None:
        if isinstance(actions, spaces.Discrete):
            self.count, self.first = int(actions.n), int(actions.start)
        elif isinstance(actions, spaces.Space):
            raise TypeError(
                f"actions must be a Discrete space or a number of actions >= 1, got {actions}"
            )
        else:
            self.count, self.first = arguments.whole("actions", actions, low=1), 0
