"""A learner: features, agent and bonus together. It is all that the training loop knows.

`ComposedLearner` is Algorithm 1 in its readable form, with any parts;
`phieb.learning.compiled.CompiledLearner` is the paper's agent in one compiled call a decision.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import FeatureMap
from phieb.learning.agent import TrainableAgent
from phieb.novelty import Bonus

BonusFor = Literal["arrival", "departure"]
Arrays = dict[str, NDArray[Any]]
_PREFIX = "bonus."  # of what a bonus saves, beside what the agent does
_AGENT = "agent."  # of an agent's arrays that are called as the learner's own
_OWN = ("novelty", "action")


class Decision(NamedTuple):
    """What to do, and what came of the action before.

    Attributes:
        action: the next action; after the end of an episode, the last one.
        bonus: what the last action earned; 0 at the start of an episode.
        pseudocount: N̂ of the state, or what the bonus has in its place; 0 without a bonus.
        num_active: how many features are on.
    """

    action: int
    bonus: float
    pseudocount: float
    num_active: int


class Learner(Protocol):
    """Acts and learns, from observations."""

    @property
    def features(self) -> FeatureMap:
        """What it sees."""

    @property
    def agent(self) -> TrainableAgent:
        """What learns and chooses."""

    @property
    def bonus(self) -> Bonus | None:
        """What says how new a state is."""

    def start(self, observation: Any) -> Decision:
        """An episode begins."""

    def learn(self, observation: Any, reward: float) -> Decision:
        """The last action led here, with this reward."""

    def end(self, observation: Any, reward: float) -> Decision:
        """The last action led here, with this reward, and ended the episode."""

    def state(self) -> Arrays:
        """Everything learnt and the random streams, as arrays, for `restore`."""

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` of a learner with the same parts returned, to the bit."""


class ComposedLearner:
    """Any features, agent and bonus: Algorithm 1, a line of code for each line of the paper's box.

    Args:
        features: φ.
        agent: learns and chooses.
        bonus: R; None for none. One whose `observes` is "observation" is shown what the world
            shows, any other the features that are on.
        bonus_for: reward an action with the bonus of the state it led to (as in the paper), or of
            the state it was taken in (as in the authors' program).
    """

    def __init__(
        self,
        features: FeatureMap,
        agent: Any,
        bonus: Bonus | None = None,
        bonus_for: BonusFor = "arrival",
    ) -> None:
        self.features, self.agent, self.bonus = features, agent, bonus
        words = ("arrival", "departure")
        self._on_arrival = arguments.one_of("bonus_for", bonus_for, words) == "arrival"
        self._arrived = 0.0  # the bonus of the last state
        self._action: int | None = None

    def start(self, observation: Any) -> Decision:
        """An episode begins."""
        self.features.reset()
        self._action = None
        if self.bonus is not None:
            self.bonus.reset()
        phi = self.features.active(observation)
        self._observe(observation, phi)
        return self._decided(self.agent.start(phi), 0.0, phi)

    def learn(self, observation: Any, reward: float) -> Decision:
        """The last action led here, with this reward."""
        phi = self.features.active(observation)  # observe φ(s), r_t
        bonus = self._observe(observation, phi)  # ρ_t(φ), update, ρ_{t+1}(φ), N̂(φ), R(φ)
        action = self.agent.learn(phi, reward, bonus)  # r⁺ = r_t + R, θ_{t+1}, the next action
        return self._decided(action, bonus, phi)

    def end(self, observation: Any, reward: float) -> Decision:
        """The last action led here, with this reward, and ended the episode."""
        phi = self.features.active(observation)
        bonus = self._observe(observation, phi)
        self.agent.end(reward, bonus)
        return self._decided(self._action or 0, bonus, phi)

    def state(self) -> Arrays:
        """Everything learnt and the random streams, as arrays, for `restore`."""
        counted = {} if self.bonus is None else self.bonus.state()
        return {
            **_agent_arrays(self.agent.state()),
            **{f"{_PREFIX}{name}": array for name, array in counted.items()},
            **remembered(self._arrived, self._pseudocount, self._action),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` of a learner with the same parts returned, to the bit."""
        novelty, action = recalled(state)
        if self.bonus is not None:
            self.bonus.restore(bonus_part(state))
        self.agent.restore(_agent_state(state))
        self._arrived, self._action = float(novelty[0]), action

    def _observe(self, observation: Any, phi: NDArray[np.int64]) -> float:
        """Tell the bonus where the agent is; returns what the last action earns."""
        if self.bonus is None:
            return 0.0
        seen = observation if self.bonus.observes == "observation" else phi
        left, self._arrived = self._arrived, self.bonus.observe(seen, self._action)
        return self._arrived if self._on_arrival else left

    @property
    def _pseudocount(self) -> float:
        return 0.0 if self.bonus is None else self.bonus.pseudocount

    def _decided(self, action: int, bonus: float, phi: NDArray[np.int64]) -> Decision:
        self._action = action
        return Decision(action, bonus, self._pseudocount, len(phi))


def _agent_arrays(state: Arrays) -> Arrays:
    """What an agent saved, under names that the learner does not use itself."""
    return {f"{_AGENT}{name}" if name in _OWN else name: state[name] for name in state}


def _agent_state(state: Mapping[str, NDArray[Any]]) -> Arrays:
    """What an agent saved, as it called it."""
    return {**state, **{name: state[f"{_AGENT}{name}"] for name in _OWN if _AGENT + name in state}}


def bonus_part(state: Mapping[str, NDArray[Any]]) -> Arrays:
    """What the bonus saved, in the state of a learner."""
    return {name.removeprefix(_PREFIX): state[name] for name in state if name.startswith(_PREFIX)}


def remembered(bonus: float, pseudocount: float, action: int | None) -> Arrays:
    """What a learner remembers of its last decision, in its state."""
    at = np.array([-1 if action is None else action])
    return {"novelty": np.array([bonus, pseudocount]), "action": at}


def recalled(state: Mapping[str, NDArray[Any]]) -> tuple[NDArray[np.float64], int | None]:
    """Bonus and pseudocount, and the action, from such a state."""
    novelty = arguments.array_part("state", state, "novelty", np.float64, (2,))
    action = int(np.asarray(arguments.part("state", state, "action")).item())
    return novelty, None if action < 0 else action
