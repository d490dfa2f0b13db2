"""Tabular worlds: every transition is in a table."""

import math
from itertools import accumulate
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray


class Tables(NamedTuple):
    """The outcomes k of action a in state s, with their cumulative probabilities."""

    successors: NDArray[np.int64]  # (s, a, k): next state
    cumulative: NDArray[np.float64]  # (s, a, k), the last one 1
    rewards: NDArray[np.float64]  # (s, a, k)
    terminal: NDArray[np.bool_]  # (s,)
    starts: NDArray[np.int64]  # (k,): starting states, equally likely


Outcome = tuple[float, int, float]  # probability, next state, reward


def tables(
    outcomes: list[list[list[Outcome]]],
    starts: list[int],
    terminal: tuple[int, ...] = (),
) -> Tables:
    """Tables from a list of outcomes for each state and action."""
    width = max(len(outs) for row in outcomes for outs in row)
    shape = (len(outcomes), len(outcomes[0]), width)
    made = Tables(
        np.zeros(shape, np.int64),
        np.ones(shape),
        np.zeros(shape),
        np.zeros(len(outcomes), np.bool_),
        np.array(starts, np.int64),
    )
    made.terminal[list(terminal)] = True
    for s, row in enumerate(outcomes):
        for a, outs in enumerate(row):
            running = list(accumulate(p for p, _, _ in outs))
            if not math.isclose(running[-1], 1.0):
                raise ValueError(
                    f"probabilities of state {s}, action {a} must add up to 1, got {running[-1]}"
                )
            for k, (_, successor, reward) in enumerate(outs):
                made.successors[s, a, k] = successor
                made.rewards[s, a, k] = reward
                # The last is exactly 1, so that some outcome always happens.
                made.cumulative[s, a, k] = running[k] if k < len(outs) - 1 else 1.0
    return made


class TabularWorld(gymnasium.Env[np.int64, np.int64]):
    """A Gymnasium environment that follows `Tables`; observations and actions are `Discrete`."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        num_states, num_actions, _ = tables.successors.shape
        self.observation_space = spaces.Discrete(num_states)
        self.action_space = spaces.Discrete(num_actions)
        self._state = np.int64(-1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.int64, dict[str, Any]]:
        """Start in one of the starting states."""
        super().reset(seed=seed)
        starts = self.tables.starts
        self._state = starts[int(self.np_random.random() * starts.size)]
        return self._state, {}

    def step(self, action: np.int64) -> tuple[np.int64, float, bool, bool, dict[str, Any]]:
        """Draw an outcome; the episode ends in a terminal state and is never truncated."""
        if self._state < 0 or self.tables.terminal[self._state]:
            raise gymnasium.error.ResetNeeded("call reset before step")
        if not self.action_space.contains(action):
            raise ValueError(f"action must be in {self.action_space}, got {action!r}")
        pair = (int(self._state), int(action))
        u = self.np_random.random()
        k = int(np.searchsorted(self.tables.cumulative[pair], u, side="right"))
        self._state = self.tables.successors[pair][k]
        reward = float(self.tables.rewards[pair][k])
        return self._state, reward, bool(self.tables.terminal[self._state]), False, {}
