"""Trajectories in the plane: of a random walk, and of an agent that explores with a bonus."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.features import Tiles
from phieb.learning import Agent, SarsaLambda
from phieb.learning.agent import Actions
from phieb.novelty import PhiBonus
from phieb.training.episode import run_episode
from phieb.worlds import Plane

BEHAVIOURS = ("random", "learning")
BETA = 0.02  # of the learning agent, which finds the goal (reward 1) and then returns to it


class RandomWalk:
    """An agent that chooses actions uniformly and does not learn."""

    def __init__(self, num_actions: int, seed: int) -> None:
        self._num_actions = num_actions
        self._rng = np.random.default_rng(seed)

    def start(self, active: ArrayLike) -> int:
        """A random action."""
        return int(self._rng.integers(self._num_actions))

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0) -> int:
        """A random action."""
        return self.start(active)

    def end(self, reward: float, bonus: float = 0.0) -> None:
        """The episode is over; nothing is learned."""


class Recorder(gymnasium.Wrapper[NDArray[np.float64], np.int64, NDArray[np.float64], np.int64]):
    """Records observations, and truncates the episode once there are `steps` of them."""

    def __init__(self, env: Plane, steps: int) -> None:
        super().__init__(env)
        self.steps = steps
        self.observations: list[NDArray[np.float64]] = []

    @property
    def full(self) -> bool:
        """Whether `steps` observations are recorded."""
        return len(self.observations) >= self.steps

    def reset(self, **given: Any) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Record the first observation of an episode."""
        observation, info = super().reset(**given)
        self.observations.append(observation)
        return observation, info

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Record the observation that the action leads to."""
        observation, reward, terminated, truncated, info = super().step(action)
        self.observations.append(observation)
        return observation, float(reward), terminated, truncated or self.full, info


def trajectory(world: Plane, behaviour: str, seed: int, steps: int) -> NDArray[np.float64]:
    """The first `steps` positions, over one or more episodes.

    "random" is a random walk. "learning" is Sarsa(λ) with the bonus β/√N̄ on four tilings.

    Args:
        world: a grid or a plane.
        behaviour: one of `BEHAVIOURS`.
        seed: the world is seeded with 2·seed, the agent with 2·seed + 1.
        steps: number of positions.
    """
    world.reset(seed=2 * seed)
    features = Tiles(world.observation_space, bins=world.size, tilings=4)
    learns = arguments.one_of("behaviour", behaviour, BEHAVIOURS) == "learning"
    bonus = PhiBonus(BETA, per_feature=True) if learns else None
    agent = _agent(world, learns, 2 * seed + 1)
    recorder = Recorder(world, steps)
    while not recorder.full:
        run_episode(recorder, features, agent, bonus)
    return np.array(recorder.observations[:steps])


def _agent(world: Plane, learns: bool, seed: int) -> Agent:
    if learns:
        start = PhiBonus(BETA).largest  # optimistic, as in the authors' code
        return SarsaLambda(world.action_space, gamma=0.95, initial_value=start, seed=seed)
    return RandomWalk(Actions(world.action_space).count, seed)
