"""The base class of tabular agents, which learn from states instead of features."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.kernels.tabular.chance import choose
from phieb.learning.agent import Actions

END = -1  # the next state of the last action of an episode


class TabularAgent(ABC):
    """Acts ε-greedily on a table of values. It ignores the bonus it is given: it has its own.

    Args:
        num_states: states are 0..num_states − 1, given as one-hot features.
        actions: a Gymnasium `Discrete` space, or the number of actions.
        epsilon: ε of the ε-greedy policy.
        seed: of the random numbers.
    """

    def __init__(
        self,
        num_states: int,
        actions: spaces.Space[Any] | int,
        epsilon: float,
        seed: int | None,
    ) -> None:
        self.num_states = arguments.whole("num_states", num_states, low=1)
        self.actions = Actions(actions)
        self.epsilon = arguments.number("epsilon", epsilon, low=0.0, high=1.0)
        self.rng = arguments.generator("seed", seed)
        self._state = self._action = 0
        self._under_way = False

    @abstractmethod
    def values(self, state: int) -> NDArray[np.float64]:
        """(action,): the values that actions are chosen by in `state`."""

    @abstractmethod
    def transition(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Learn from one transition; `next_state` is a state or END."""

    def start(self, active: ArrayLike) -> int:
        """Start an episode in the state of `active`; returns the first action."""
        return self._act_in(self._only_state(active))

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0) -> int:
        """The last action led to the state of `active`; returns the next action."""
        next_state = self._only_state(active)
        self._transition(reward, next_state)
        return self._act_in(next_state)

    def end(self, reward: float, bonus: float = 0.0) -> None:
        """The last action ended the episode."""
        self._transition(reward, END)
        self._under_way = False

    def _transition(self, reward: float, next_state: int) -> None:
        if not self._under_way:
            raise RuntimeError("no episode is under way: call start first")
        self.transition(self._state, self._action, arguments.number("reward", reward), next_state)

    def _act_in(self, state: int) -> int:
        self._state, self._under_way = state, True
        self._action = choose(self.values(state), self.epsilon, self.rng)
        return self.actions.first + self._action

    def _only_state(self, active: ArrayLike) -> int:
        ids = arguments.feature_ids("active", active, self.num_states)
        if ids.size != 1:
            raise ValueError(f"active must hold one id, the state (use OneHot), got {ids}")
        return int(ids[0])
