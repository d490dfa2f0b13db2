"""Any Gymnasium environment as a world that a run lives in."""

import hashlib
import json
import warnings
from collections.abc import Mapping
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments
from phieb.worlds.names import make_env


class GymnasiumWorld:
    """An environment whose episodes are each seeded from (seed, episode).

    So it can be saved at the start of an episode, and resumed to the bit if the environment keeps
    Gymnasium's seeding contract. A decision is one step; steps are what is called frames elsewhere.

    Args:
        name: a Gymnasium id, or `package.module:make_env`.
        seed: of all episodes.
    """

    room = None  # no rooms are known

    def __init__(self, name: str, seed: int | None) -> None:
        self.name, self.env = name, make_env(name)
        self.action_space: spaces.Discrete = cast(spaces.Discrete, self.env.action_space)
        self.observation_space = self.env.observation_space
        self._seed = int(np.random.default_rng().integers(2**62)) if seed is None else seed
        self._episode, self.frames, self._under_way = 0, 0, False
        self._first = ""  # digest of the episode's first observation

    @property
    def can_be_saved(self) -> bool:
        """Only at the start of an episode."""
        return self._under_way and self.frames == 0

    def reset(self) -> tuple[Any, dict[str, Any]]:
        """The next episode."""
        self._episode += 1
        return self._begin()

    def decide(self, action: int) -> tuple[Any, float, bool, bool]:
        """One step: observation, reward, terminated, truncated."""
        if not self._under_way:
            raise gymnasium.error.ResetNeeded("call reset before decide")
        observation, reward, terminated, truncated, _ = self.env.step(action)
        self.frames += 1
        self._under_way = not (terminated or truncated)
        return observation, float(reward), bool(terminated), bool(truncated)

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, as arrays, for `restore` of a world with the same name."""
        if not self.can_be_saved:
            raise RuntimeError("an environment can be saved at the start of an episode only")
        settings = json.dumps({"name": self.name, "seed": self._seed, "first": self._first})
        return {
            "episode": np.array([self._episode]),
            "settings": np.frombuffer(settings.encode(), np.uint8).copy(),
            "under_way": np.array([True]),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> tuple[Any, dict[str, Any]]:
        """The episode that was saved, from its start; returns what `reset` does."""
        episode = np.asarray(arguments.part("state", state, "episode")).item()
        there = json.loads(bytes(arguments.part("state", state, "settings")))
        if not isinstance(there, dict) or there.get("name") != self.name:
            raise ValueError("state is of another environment")
        seed = arguments.whole("state's seed", there.get("seed"))
        self._episode, self._seed = arguments.whole("state['episode']", episode, low=1), seed
        begun = self._begin()
        if there.get("first") != self._first:
            warnings.warn(
                f"{self.name} does not start an episode in the same way from the same seed: the "
                "run goes on, but not as it would have",
                stacklevel=2,
            )
        return begun

    def _begin(self) -> tuple[Any, dict[str, Any]]:
        chance = np.random.SeedSequence([self._seed, self._episode]).generate_state(1)
        observation, _ = self.env.reset(seed=int(chance[0]))
        self.frames, self._under_way = 0, True
        self._first = _digest(observation)
        return observation, {"frames": 0}


def _digest(observation: Any) -> str:
    """Of an observation, whatever it is made of."""
    if isinstance(observation, dict):
        parts = "".join(f"{name}:{_digest(part)}" for name, part in observation.items())
    elif isinstance(observation, tuple | list):
        parts = "".join(map(_digest, observation))
    elif isinstance(observation, str):
        parts = observation
    else:
        array = np.asarray(observation)
        parts = f"{array.dtype} {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"
    return hashlib.sha256(parts.encode()).hexdigest()
