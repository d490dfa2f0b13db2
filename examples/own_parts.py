"""A user-defined bonus, feature map and agent for any environment: see CONTRIBUTING.md.

In this folder, or with it on PYTHONPATH:

    phieb train CartPole-v1 --frames 4k --bonus own_parts:FirstTime
    phieb train venture --frames 4k --features own_parts:Levels --agent own_parts:OneStepQ
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from phieb.learning import EpsilonGreedy, TrainableAgent
from phieb.novelty import Bonus


class FirstTime(Bonus):
    """β times the share of active features that are on for the first time."""

    def __init__(self, beta: float) -> None:
        self.beta, self.seen = beta, set[int]()
        self.pseudocount = 0.0

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Learn from the ids of the active features; returns the bonus."""
        ids = set(np.asarray(seen).tolist())
        new = len(ids - self.seen) / max(len(ids), 1)
        self.seen |= ids
        self.pseudocount = 1.0 - new
        return self.beta * new

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        return {"beta": self.beta}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays."""
        return {"seen": np.array(sorted(self.seen), np.int64), "last": np.array(self.pseudocount)}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        self.seen, self.pseudocount = set(state["seen"].tolist()), float(state["last"])


class Levels:
    """Divides an observation into 8 parts; one feature per part: the level, of 16, of its mean."""

    parts, levels = 8, 16

    def __init__(self, observation_space: spaces.Box) -> None:
        # Some bounds are infinite or very large.
        self.low = float(max(observation_space.low.min(), -5.0))
        self.high = float(min(observation_space.high.max(), 255.0))
        self.size = self.parts * self.levels

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the active features, each once."""
        parts = np.array_split(np.ravel(observation), self.parts)
        means = np.array([part.mean() if part.size else 0.0 for part in parts])
        share = np.clip((means - self.low) / (self.high - self.low), 0.0, 1.0 - 1e-9)
        return np.arange(self.parts) * self.levels + (share * self.levels).astype(np.int64)

    def reset(self) -> None:
        """Do nothing: the map has no memory."""


class OneStepQ(TrainableAgent):
    """Q-learning without traces, with linear values: Q(s, a) = Σ_{i on in s} θ_{i,a}."""

    def __init__(
        self, num_actions: int, alpha: float, gamma: float, epsilon: float, seed: int
    ) -> None:
        self.num_actions, self.alpha, self.gamma = num_actions, alpha, gamma
        self.policy = EpsilonGreedy(epsilon, np.random.default_rng(seed))
        self.theta: dict[int, NDArray[np.float64]] = {}
        self.on, self.action = np.zeros(0, np.int64), 0  # s, a

    def q(self, active: ArrayLike) -> NDArray[np.float64]:
        """Q(s, ·)."""
        known = [self.theta[i] for i in np.asarray(active).tolist() if i in self.theta]
        return np.sum(known, axis=0) if known else np.zeros(self.num_actions)

    def start(self, active: ArrayLike) -> int:
        """Start an episode in the state with the features `active`; returns the first action."""
        return self._take(active)

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""
        self._update(reward + bonus + self.gamma * float(self.q(active).max()))
        return self._take(active)

    def end(self, reward: float, bonus: float = 0.0) -> None:
        """The last action ended the episode, with this reward and bonus."""
        self._update(reward + bonus)

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, and the random stream, as arrays for `restore`."""
        theta = np.array(list(self.theta.values())).reshape(-1, self.num_actions)
        learnt = {"ids": np.array(list(self.theta), np.int64), "theta": theta}
        now = {"on": self.on.copy(), "action": np.array(self.action)}
        return {**self.policy.state(), **learnt, **now}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`, bit for bit."""
        self.policy.restore(state)
        self.theta = dict(zip(state["ids"].tolist(), state["theta"].copy(), strict=True))
        self.on, self.action = state["on"].copy(), int(state["action"])

    def _update(self, target: float) -> None:
        error = target - self.q(self.on)[self.action]
        for i in self.on.tolist():
            row = self.theta.setdefault(i, np.zeros(self.num_actions))
            row[self.action] += self.alpha / self.on.size * error

    def _take(self, active: ArrayLike) -> int:
        self.on = np.array(active, np.int64)
        self.action = self.policy.choose(self.q(active))
        return self.action
