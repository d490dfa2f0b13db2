"""Learners: features, agent and bonus together, the only interface that the training loop uses.

`ComposedLearner` is the readable form of Algorithm 1, with any parts;
`phieb.learning.compiled.CompiledLearner` is the paper's agent in one compiled call per decision.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import FeatureMap
from phieb.learning.agent import Sees, TrainableAgent
from phieb.novelty import Bonus

BonusFor = Literal["arrival", "departure"]
Arrays = dict[str, NDArray[Any]]
BONUS_PREFIX = "bonus."  # of the bonus's arrays in the state of a learner
_AGENT_PREFIX = "agent."  # of arrays of an agent whose names are in _OWN_NAMES
_OWN_NAMES = ("novelty", "action")  # arrays of the learner itself


class Decision(NamedTuple):
    """The next action, and the novelty of the state.

    Attributes:
        action: the next action; after the end of an episode, the last one.
        bonus: the bonus of the last action; 0 at the start of an episode.
        pseudocount: N̂ of the state, or the bonus's own count; 0 without a bonus.
        num_active: the number of active features.
    """

    action: int
    bonus: float
    pseudocount: float
    num_active: int


class Learner(Protocol):
    """Learns from observations and rewards, and chooses actions."""

    @property
    def features(self) -> FeatureMap:
        """The feature map φ."""

    @property
    def agent(self) -> TrainableAgent:
        """The RL algorithm."""

    @property
    def bonus(self) -> Bonus | None:
        """The exploration bonus, if any."""

    def start(self, observation: Any) -> Decision:
        """Start an episode; returns the first action."""

    def learn(self, observation: Any, reward: float) -> Decision:
        """The last action led to this observation, with this reward; returns the next action."""

    def end(self, observation: Any, reward: float) -> Decision:
        """The last action led to this observation, with this reward, and ended the episode."""

    def state(self) -> Arrays:
        """Everything learnt, and the random streams, as arrays for `restore`."""

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the `state` of a learner with the same parts, bit for bit."""

    def restore_bonus(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Of a saved `state`, only what the bonus has counted: enough to judge, not to learn."""


class ComposedLearner:
    """Algorithm 1 with any features, agent and bonus: `learn` is one pass of the paper's loop.

    Args:
        features: the feature map φ.
        agent: the RL algorithm.
        bonus: R; None for no bonus. It observes the active features or, if its `observes` is
            "observation", the observation itself.
        bonus_for: which state's bonus an action earns: "arrival", the state it led to (as in the
            paper), or "departure", the state it was taken in (as in the authors' program).
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
        self._sees: Sees | None = getattr(agent, "sees", None)
        self._last_bonus = 0.0  # R of the last state
        self._action: int | None = None

    def start(self, observation: Any) -> Decision:
        """Start an episode; returns the first action."""
        self.features.reset()
        self._action = None
        if self.bonus is not None:
            self.bonus.reset()
        if self._sees is not None:
            self._sees.reset()
        phi = self.features.active(observation)
        self._observe(observation, phi)
        return self._decision(self.agent.start(self._seen(observation, phi)), 0.0, phi)

    def learn(self, observation: Any, reward: float) -> Decision:
        """The last action led to this observation, with this reward; returns the next action."""
        # Observe φ(s), r_t.
        phi = self.features.active(observation)
        # Compute ρ_t(φ). Update ρ_{t+1}^i with φ_i. Compute ρ_{t+1}(φ), N̂_t(s), R_t(s, a).
        bonus = self._observe(observation, phi)
        # Set r_t⁺ = r_t + R_t(s, a). Pass φ(s), r_t⁺ to the RL algorithm to update θ_t.
        action = self.agent.learn(self._seen(observation, phi), reward, bonus)
        return self._decision(action, bonus, phi)

    def end(self, observation: Any, reward: float) -> Decision:
        """The last action led to this observation, with this reward, and ended the episode."""
        phi = self.features.active(observation)
        bonus = self._observe(observation, phi)
        self.agent.end(reward, bonus)
        return self._decision(self._action or 0, bonus, phi)

    def state(self) -> Arrays:
        """Everything learnt, and the random streams, as arrays for `restore`."""
        counted = {} if self.bonus is None else self.bonus.state()
        return {
            **_agent_arrays(self.agent.state()),
            **{f"{BONUS_PREFIX}{name}": array for name, array in counted.items()},
            **decision_arrays(self._last_bonus, self._pseudocount, self._action),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the `state` of a learner with the same parts, bit for bit."""
        novelty, action = read_decision(state)
        self.restore_bonus(state)
        self.agent.restore(_agent_state(state))
        self._last_bonus, self._action = float(novelty[0]), action

    def restore_bonus(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Of a saved `state`, only what the bonus has counted: enough to judge, not to learn."""
        if self.bonus is not None:
            self.bonus.restore(bonus_state(state))

    def _seen(self, observation: Any, phi: NDArray[np.int64]) -> Any:
        """What the agent learns from: φ, or what its own map returns."""
        return phi if self._sees is None else self._sees.active(observation)

    def _observe(self, observation: Any, phi: NDArray[np.int64]) -> float:
        """The bonus of the last action; the state it led to is counted."""
        if self.bonus is None:
            return 0.0
        seen = observation if self.bonus.observes == "observation" else phi
        previous, self._last_bonus = self._last_bonus, self.bonus.observe(seen, self._action)
        return self._last_bonus if self._on_arrival else previous

    @property
    def _pseudocount(self) -> float:
        return 0.0 if self.bonus is None else self.bonus.pseudocount

    def _decision(self, action: int, bonus: float, phi: NDArray[np.int64]) -> Decision:
        self._action = action
        return Decision(action, bonus, self._pseudocount, len(phi))


def _agent_arrays(state: Arrays) -> Arrays:
    """The arrays of an agent, renamed where the learner has an array of that name."""
    return {f"{_AGENT_PREFIX}{name}" if name in _OWN_NAMES else name: state[name] for name in state}


def _agent_state(state: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays of an agent, under their own names."""
    return {
        **state,
        **{
            name: state[f"{_AGENT_PREFIX}{name}"]
            for name in _OWN_NAMES
            if _AGENT_PREFIX + name in state
        },
    }


def bonus_state(state: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays of the bonus in the state of a learner."""
    return {
        name.removeprefix(BONUS_PREFIX): state[name]
        for name in state
        if name.startswith(BONUS_PREFIX)
    }


def decision_arrays(bonus: float, pseudocount: float, action: int | None) -> Arrays:
    """The last decision of a learner, as arrays of its state."""
    last_action = np.array([-1 if action is None else action])
    return {"novelty": np.array([bonus, pseudocount]), "action": last_action}


def read_decision(state: Mapping[str, NDArray[Any]]) -> tuple[NDArray[np.float64], int | None]:
    """(bonus, pseudocount) and the action of the last decision in the state of a learner."""
    novelty = arguments.array_part("state", state, "novelty", np.float64, (2,))
    action = int(np.asarray(arguments.part("state", state, "action")).item())
    return novelty, None if action < 0 else action
