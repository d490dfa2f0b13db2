"""The interface of agents."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.learning.policy import EpsilonGreedy
from phieb.registry import Registry

AGENTS = Registry("agent")
"""All agents that `phieb train` can train, by name."""


class Agent(Protocol):
    """An RL algorithm that acts and learns online; an episode is `start`, `learn`…, `end`."""

    def start(self, active: ArrayLike, /) -> int:
        """Start an episode in the state with the features `active`; returns the first action."""

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0, /) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""

    def end(self, reward: float, bonus: float = 0.0, /) -> None:
        """The last action ended the episode, with this reward and bonus."""


class Sees(Protocol):
    """An agent's own map from observations to what it learns from."""

    def active(self, observation: Any, /) -> Any:
        """What the agent learns from."""

    def reset(self) -> None:
        """Start an episode."""


class TrainableAgent(ABC):
    """An agent for `phieb train`, which can also be saved, resumed and evaluated.

    Attributes:
        value: "split" if it learns the value of the rewards separately, else "joint".
        sees: its own map from observations to what it learns from; None: the ids of the active
            features. Then `start`, `learn` and `q` take what this map returns.
        is_stochastic: whether its policy gives probabilities; then actions are drawn from them.
    """

    value: str = "joint"
    sees: "Sees | None" = None
    is_stochastic: bool = False

    def evaluated_action(self, seen: Any, policy: EpsilonGreedy) -> int:
        """An action of the frozen agent, counted from 0: ε-greedy on `q` unless overridden."""
        return policy.choose(self.q(seen))

    @property
    def num_observed(self) -> int:
        """The number of features that have been active at least once; 0 if not counted."""
        return 0

    @abstractmethod
    def start(self, active: ArrayLike, /) -> int:
        """Start an episode in the state with the features `active`; returns the first action."""

    @abstractmethod
    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0, /) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""

    @abstractmethod
    def end(self, reward: float, bonus: float = 0.0, /) -> None:
        """The last action ended the episode, with this reward and bonus."""

    @abstractmethod
    def q(self, active: ArrayLike) -> NDArray[np.float64]:
        """(action,): Q(s, ·), the values that actions are chosen by; nothing is learnt."""

    def q_extrinsic(self, active: ArrayLike) -> NDArray[np.float64]:
        """(action,): Q(s, ·) of the rewards alone; `q` unless learnt separately."""
        return self.q(active)

    @abstractmethod
    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, and the random stream, as arrays for `restore`."""

    @abstractmethod
    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the `state` of an agent with the same settings, bit for bit."""

    def episode_over(self, score: float) -> None:  # noqa: B027 - optional
        """An episode ended or was cut, with this score."""

    def freeze(self) -> None:  # noqa: B027 - optional
        """Training is over: the agent is now evaluated."""

    def is_sound(self) -> bool:
        """Whether everything learnt is finite and of a plausible size; if not, the run stops."""
        return True


class Weights(NamedTuple):
    """What a linear agent has learnt: Q(s, ·) is the sum over the active features.

    Attributes:
        ids: (n,), the features that have been active, in any order.
        behaviour: (n, action), the weights of the values that actions are chosen by.
        extrinsic: (n, action), those of the values of the rewards alone.
    """

    ids: NDArray[np.int64]
    behaviour: NDArray[np.float64]
    extrinsic: NDArray[np.float64]


class LinearAgent(TrainableAgent):
    """The base class of agents with linear values: the checked settings of their update."""

    def _set(
        self,
        alpha: float,
        gamma: float,
        lambda_: float,
        value: str,
        continuing: bool,
        initial_value: float,
        scale_reward: bool,
    ) -> None:
        self.alpha = arguments.number("alpha", alpha, above=0.0, high=1.0)
        self.gamma = arguments.number("gamma", gamma, low=0.0, high=1.0)
        self.lambda_ = arguments.number("lambda_", lambda_, low=0.0, high=1.0)
        self.value = arguments.one_of("value", value, ("joint", "split"))
        self.continuing = arguments.flag("continuing", continuing)
        if self.continuing and self.value == "joint":
            raise ValueError('continuing must be False with value="joint", got True')
        self.initial_value = arguments.number("initial_value", initial_value)
        self.scale_reward = arguments.flag("scale_reward", scale_reward)
        self.num_heads = 1 if self.value == "joint" else 2

    @abstractmethod
    def weights(self) -> Weights:
        """Everything that `q` and `q_extrinsic` depend on, once training is over."""


class Actions:
    """A discrete action set: agents number actions from 0, environments from `first`."""

    def __init__(self, actions: spaces.Space[Any] | int) -> None:
        if isinstance(actions, spaces.Discrete):
            self.count, self.first = int(actions.n), int(actions.start)
        elif isinstance(actions, spaces.Space):
            raise TypeError(
                f"actions must be a Discrete space or a number of actions >= 1, got {actions}"
            )
        else:
            self.count, self.first = arguments.whole("actions", actions, low=1), 0
