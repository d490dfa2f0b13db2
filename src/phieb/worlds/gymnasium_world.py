"""Any Gymnasium environment as the world of a run."""

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
from phieb.worlds.names import checked

REPLAYED = 1_000  # at most so many steps of the first episode are replayed on resuming


class SeedingWarning(UserWarning):
    """An environment is not reproducible from its seed."""


class GymnasiumWorld:
    """A Gymnasium environment; the seed of each episode is derived from (seed, episode).

    It can be saved at the start of an episode. Resuming is exact if the environment follows
    Gymnasium's seeding contract: the same seed and the same actions give the same episode. To
    check this, the first episode is replayed on resuming; a difference gives a `SeedingWarning`.
    A decision is one step, and `frames` counts steps.

    Args:
        name: the name of the environment in messages and saved states.
        env: an environment with discrete actions.
        seed: the seed from which those of all episodes are derived.
        max_steps: the step at which an episode is truncated, if the environment has not done so.
    """

    room = None  # only Montezuma's Revenge has rooms

    def __init__(
        self, name: str, env: gymnasium.Env[Any, Any], seed: int | None, max_steps: int = 18_000
    ) -> None:
        self.name, self.env = name, checked(name, env)
        self.max_steps = arguments.whole("max_steps", max_steps, low=1)
        self.action_space: spaces.Discrete = cast(spaces.Discrete, self.env.action_space)
        self.observation_space = self.env.observation_space
        self._seed = int(np.random.default_rng().integers(2**62)) if seed is None else seed
        self._episode, self.frames, self._under_way = 0, 0, False
        self._start = ""  # digest of the first observation of the episode
        self._actions, self._seen = list[int](), hashlib.sha256()  # those of the first episode

    @property
    def can_be_saved(self) -> bool:
        """Whether `state` can be called: only at the start of an episode."""
        return self._under_way and self.frames == 0

    def reset(self) -> tuple[Any, dict[str, Any]]:
        """Start the next episode; returns its first observation, and info."""
        self._episode += 1
        return self._begin()

    def decide(self, action: int) -> tuple[Any, float, bool, bool]:
        """One step: observation, reward, terminated, truncated."""
        if not self._under_way:
            raise gymnasium.error.ResetNeeded("call reset before decide")
        observation, reward, terminated, truncated, _ = self.env.step(action)
        self.frames += 1
        if self._episode == 1 and self.frames <= REPLAYED:
            self._actions.append(int(action))
            self._seen.update(_step_digest(observation, reward, terminated, truncated))
        cut = not terminated and (bool(truncated) or self.frames >= self.max_steps)
        self._under_way = not (terminated or cut)
        return observation, float(reward), bool(terminated), cut

    def picture(self) -> NDArray[np.uint8] | None:
        """The rendered RGB array; None if the environment does not render one."""
        drawn: Any = self.env.render() if self.env.render_mode == "rgb_array" else None
        is_picture = isinstance(drawn, np.ndarray) and drawn.ndim == 3 and drawn.shape[2] == 3
        return drawn if is_picture and drawn.dtype == np.uint8 else None

    def state(self) -> dict[str, NDArray[Any]]:
        """The whole state, as arrays for `restore` of a world with the same name."""
        if not self.can_be_saved:
            raise RuntimeError("an environment can be saved at the start of an episode only")
        settings = json.dumps({"name": self.name, "seed": self._seed, "start": self._start})
        return {
            "episode": np.array([self._episode]),
            "settings": np.frombuffer(settings.encode(), np.uint8).copy(),
            "under_way": np.array([True]),
            "first_actions": np.array(self._actions, np.int64),
            "first_seen": np.frombuffer(self._seen.digest(), np.uint8).copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> tuple[Any, dict[str, Any]]:
        """Restart the episode of a saved `state`; returns as `reset` does."""
        episode = np.asarray(arguments.part("state", state, "episode")).item()
        there = json.loads(bytes(arguments.part("state", state, "settings")))
        if not isinstance(there, dict) or there.get("name") != self.name:
            raise ValueError("state is of another environment")
        episode = arguments.whole("state['episode']", episode, low=1)
        self._seed = arguments.whole("state's seed", there.get("seed"))
        actions = arguments.array_part("state", state, "first_actions", np.int64, (None,))
        self._replay(actions.tolist())
        same = self._seen.digest() == bytes(arguments.part("state", state, "first_seen"))
        self._episode = episode
        begun = self._begin()
        if not same or there.get("start") != self._start:
            warnings.warn(
                f"{self.name} is not reproducible from its seed: the run is resumed, but not "
                "bit for bit",
                SeedingWarning,
                stacklevel=2,
            )
        return begun

    def _replay(self, actions: list[int]) -> None:
        """Replay the recorded actions of the first episode."""
        self._episode, self._actions, self._seen = 1, [], hashlib.sha256()
        self._begin()
        for action in actions:
            if not self._under_way or not self.action_space.contains(action):
                return  # the episode ended earlier than before: the digests will differ
            self.decide(action)

    def _begin(self) -> tuple[Any, dict[str, Any]]:
        chance = np.random.SeedSequence([self._seed, self._episode]).generate_state(1)
        observation, _ = self.env.reset(seed=int(chance[0]))
        self.frames, self._under_way = 0, True
        self._start = _digest(observation)
        return observation, {"frames": 0}


def _step_digest(observation: Any, *rest: Any) -> bytes:
    reward, ended, cut = rest
    return f"{_digest(observation)} {float(reward)!r} {bool(ended)} {bool(cut)}".encode()


def _digest(observation: Any) -> str:
    """A hash of an observation: an array, a string, or a dict or tuple of these."""
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
