"""Atari games with the protocol of the paper (§5.1)."""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments
from phieb.worlds.emulator import SEED_LIMIT, Emulator, Settings
from phieb.worlds.games import find_game

MONTEZUMA, ROOM = "montezuma_revenge", 3  # RAM index of the current room


class Atari(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """An Atari game; observations are screens of palette bytes, an action lasts several frames.

    An episode starts with 1 to `noops` no-op decisions, ends when the game is over, and is
    truncated after `max_frames` frames, no-ops included. `info` has `frames`, `lives` and, in
    Montezuma's Revenge, `room`.

    Args:
        game: "venture", "Venture", "ALE/Venture-v5", …: any game that ale-py ships.
        sticky: probability that a frame repeats the previous action; 0 here, 0.25 is common.
        frame_skip: frames per decision.
        max_frames: frames per episode.
        noops: the largest number of no-op decisions at the start of an episode.
        actions: "full", 18 for most games, or "minimal", those that have an effect.
        screen: "last", the last frame of a decision, or "blend", the average of its last two, as
            the emulator's `color_averaging` computes it.
        seed: of the first reset, if that is given none.
        render_mode: "rgb_array" or None.

    Example:
        >>> env = Atari("venture", seed=1)
        >>> screen, info = env.reset()
        >>> screen.shape, env.action_space
        ((210, 160), Discrete(18))
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 12}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        sticky: float = 0.0,
        frame_skip: int = 5,
        max_frames: int = 18_000,
        noops: int = 24,
        actions: Literal["full", "minimal"] = "full",
        screen: Literal["last", "blend"] = "last",
        seed: int | None = None,
        render_mode: Literal["rgb_array"] | None = None,
    ) -> None:
        blend = arguments.one_of("screen", screen, ("last", "blend")) == "blend"
        self.settings = Settings(
            find_game(game),
            arguments.number("sticky", sticky, low=0.0, high=1.0),
            arguments.whole("frame_skip", frame_skip, low=1, high=60),
            blend,
        )
        self.max_frames = arguments.whole("max_frames", max_frames, low=1)
        self.noops = arguments.whole("noops", noops, low=1, high=1_000)
        minimal = arguments.one_of("actions", actions, ("full", "minimal")) == "minimal"
        self._seed = None if seed is None else arguments.whole("seed", seed)
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f'render_mode must be None or "rgb_array", got {render_mode!r}')
        self.render_mode = render_mode
        self._emulator = Emulator(self.settings, seed=0)
        self._actions = self._emulator.action_set(minimal)
        self._noop = self._emulator.action_set(minimal=False)[0]
        self.num_actions = len(self._actions)
        self.shape = self._emulator.shape
        self.action_space: spaces.Discrete = spaces.Discrete(self.num_actions)
        self.observation_space = spaces.Box(0, 255, self._emulator.shape, np.uint8)
        self._has_rooms = self.settings.game == MONTEZUMA
        self._under_way = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Start an episode; with a seed, in a newly seeded emulator."""
        seed = self._seed if seed is None else arguments.whole("seed", seed)
        fresh = seed is not None or self._np_random is None
        super().reset(seed=seed)
        self._seed = None
        if fresh:
            chance = int(self.np_random.integers(SEED_LIMIT))
            self._emulator = Emulator(self.settings, seed=chance)
        self._emulator.reset()
        for _ in range(int(self.np_random.integers(1, self.noops, endpoint=True))):
            self._emulator.act(self._noop)
            if self._emulator.game_over():
                self._emulator.reset()
                self._emulator.act(self._noop)
        self._under_way = True
        return self._emulator.screen().copy(), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """One decision: screen, sum of rewards, terminated, truncated, info."""
        if not self.action_space.contains(action):
            raise ValueError(f"action must be in {self.action_space}, got {action!r}")
        screen, reward, terminated, truncated = self.decide(int(action))
        return screen.copy(), reward, terminated, truncated, self._info()

    def decide(self, action: int) -> tuple[NDArray[np.uint8], float, bool, bool]:
        """As `step`, but the screen is not copied: the next call overwrites it."""
        if not self._under_way:
            raise gymnasium.error.ResetNeeded("call reset before step")
        reward = self._emulator.act(self._actions[action])
        terminated = self._emulator.game_over()
        truncated = not terminated and self.frames >= self.max_frames
        self._under_way = not (terminated or truncated)
        return self._emulator.screen(), reward, terminated, truncated

    @property
    def can_be_saved(self) -> bool:
        """Whether `state` can be called: at any time within an episode."""
        return self._under_way

    @property
    def screen(self) -> NDArray[np.uint8]:
        """The current screen; the next access overwrites it."""
        return self._emulator.screen()

    @property
    def frames(self) -> int:
        """Frames of the current episode so far."""
        return self._emulator.frames()

    @property
    def room(self) -> int | None:
        """The current room of Montezuma's Revenge; None in other games."""
        return int(self._emulator.ram()[ROOM]) if self._has_rooms else None

    def render(self) -> NDArray[np.uint8] | None:
        """The last frame in RGB, in render mode "rgb_array"."""
        return self._emulator.rgb() if self.render_mode == "rgb_array" else None

    def state(self) -> dict[str, NDArray[Any]]:
        """The whole state, as arrays for `restore` of a world with the same settings."""
        if self._np_random is None:
            raise gymnasium.error.ResetNeeded("call reset before state")
        return {
            **self._emulator.state(),
            "chance": _json_bytes(self.np_random.bit_generator.state),
            "settings": _json_bytes(self._all_settings()),
            "under_way": np.array([self._under_way]),
        }

    def restore(
        self, state: Mapping[str, NDArray[Any]]
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Continue from a saved `state`, in this or another process; returns as `reset` does.

        Raises:
            ValueError: the state has other settings, another ROM or another version of ale-py, is
                damaged, or cannot be reproduced. The world is unchanged then.
        """
        return deque(self.replay(state, 0), maxlen=1).pop()

    def replay(
        self, state: Mapping[str, NDArray[Any]], last: int
    ) -> Iterator[tuple[NDArray[np.uint8], dict[str, Any]]]:
        """Continue from a saved `state`, as `restore`, but look at the decisions that led to it.

        Args:
            state: the saved state.
            last: how many decisions, or as many as there were in the episode.

        Yields:
            What `reset` returns, first of the state before these decisions, then after each.

        Raises:
            ValueError: as `restore`.
        """
        try:
            there = json.loads(bytes(state["settings"]))
            differ = [
                f"{name} is {there.get(name)!r} there and {here!r} here"
                for name, here in self._all_settings().items()
                if there.get(name) != here
            ]
            if differ:
                raise ValueError(f"state has other settings: {'; '.join(differ)}")
            rng = np.random.default_rng(0)
            rng.bit_generator.state = json.loads(bytes(state["chance"]))
            under_way = bool(np.asarray(state["under_way"]).item())
            for emulator in Emulator.replayed(self.settings, state, last):
                yield emulator.screen().copy(), self._info_of(emulator)
        except ValueError:
            raise
        except KeyError as error:
            raise ValueError(f"state lacks {error}") from None
        except (TypeError, AttributeError, MemoryError, OverflowError, SystemError) as error:
            raise ValueError(f"state is damaged: {error}") from None
        self._emulator, self._under_way = emulator, under_way
        self._np_random, self._seed = rng, None

    def _all_settings(self) -> dict[str, Any]:
        mine = {"max_frames": self.max_frames, "noops": self.noops, "actions": self.num_actions}
        return {**self.settings._asdict(), **mine}

    def _info(self) -> dict[str, Any]:
        return self._info_of(self._emulator)

    def _info_of(self, emulator: Emulator) -> dict[str, Any]:
        info: dict[str, Any] = {"frames": emulator.frames(), "lives": emulator.lives()}
        if self._has_rooms:
            info["room"] = int(emulator.ram()[ROOM])
        return info


def _json_bytes(value: Any) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(value).encode(), np.uint8).copy()
