"""The Atari emulator with fixed settings, and saving its exact state.

ale-py aborts the process on some invalid arguments: games, actions, probabilities and seeds are
checked by `Atari` first.
"""

import hashlib
from collections import deque
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
from ale_py import Action, ALEInterface, ALEState, LoggerMode
from numpy.typing import NDArray

from phieb.worlds.blend import blend
from phieb.worlds.games import check_blends, rom_path

SEED_LIMIT = 2**31  # exclusive; -1 would mean the system clock


class Settings(NamedTuple):
    """The settings of ale-py, which it needs before loading a game."""

    game: str
    sticky: float
    frame_skip: int
    blend: bool


class Emulator:
    """A loaded game, played in decisions of `frame_skip` frames."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings, self._seed, self._blends = settings, seed, settings.blend
        if settings.blend:
            check_blends(settings.game)
        ALEInterface.setLoggerMode(LoggerMode.Error)
        self._ale = ALEInterface()
        # Settings have no effect after the game is loaded.
        self._ale.setInt("random_seed", seed)
        self._ale.setFloat("repeat_action_probability", settings.sticky)
        # Blending needs the last two frames of a decision, so it plays frame by frame.
        self._ale.setInt("frame_skip", 1 if settings.blend else settings.frame_skip)
        self._ale.loadROM(rom_path(settings.game))
        height, width = self._ale.getScreenDims()
        self._frame, self._before = (np.zeros((height, width), np.uint8) for _ in range(2))
        self._screen = np.zeros((height, width), np.uint8)
        self._ram = np.zeros(self._ale.getRAMSize(), np.uint8)
        self._start, self._first = b"", self._frame.copy()
        self._actions: list[Action] = []

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled by the state, which leads back exactly; a clone of it would not."""
        if not self._start:
            return Emulator, (self.settings, self._seed)
        return Emulator.resumed, (self.settings, self.state())

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the screen."""
        height, width = self._screen.shape
        return height, width

    def action_set(self, minimal: bool) -> list[Action]:
        """The actions that have an effect, or all."""
        ale = self._ale
        return list(ale.getMinimalActionSet() if minimal else ale.getLegalActionSet())

    def reset(self) -> None:
        """Start a new game; the random stream continues."""
        self._ale.reset_game()
        self._start = self._ale.cloneState(include_rng=True).serialize()
        self._actions = []
        self._ale.getScreen(self._frame)
        self._first[:] = self._frame

    def act(self, action: Action) -> float:
        """One decision; returns the reward."""
        self._actions.append(action)
        if not self._blends:
            return float(self._ale.act(action))
        reward = 0.0
        for _ in range(self.settings.frame_skip):
            over = self._ale.game_over()
            # After the end nothing changes, but random numbers are drawn, as with frame_skip.
            reward += self._ale.act(action)
            if not over:
                self._frame, self._before = self._before, self._frame
                self._ale.getScreen(self._frame)
        return reward

    def screen(self) -> NDArray[np.uint8]:
        """The screen after a decision; the next call overwrites it."""
        if self._blends:
            blend(self._before, self._frame, out=self._screen)
        else:
            self._ale.getScreen(self._screen)
        return self._screen

    def game_over(self) -> bool:
        """Whether the game is over."""
        return bool(self._ale.game_over())

    def frames(self) -> int:
        """Frames played since the last reset."""
        return int(self._ale.getEpisodeFrameNumber())

    def lives(self) -> int:
        """Remaining lives, as the game counts them."""
        return int(self._ale.lives())

    def ram(self) -> NDArray[np.uint8]:
        """The 128 bytes of RAM; the next call overwrites them."""
        self._ale.getRAM(self._ram)
        return self._ram

    def rgb(self) -> NDArray[np.uint8]:
        """The last frame in RGB."""
        return np.asarray(self._ale.getScreenRGB())

    def state(self) -> dict[str, NDArray[Any]]:
        """Arrays for `resumed`: the state after the last reset, and the actions since."""
        return {
            "start": np.frombuffer(self._start, np.uint8).copy(),
            "start_digest": _digest(self._start),
            "start_screen": self._first.copy(),
            "actions": np.array([action.value for action in self._actions], np.uint8),
            "digest": self._digest(),
            "rom": _digest(rom_path(self.settings.game).read_bytes()),
            "ale": np.frombuffer(version("ale-py").encode(), np.uint8).copy(),
        }

    @classmethod
    def resumed(cls, settings: Settings, state: Mapping[str, NDArray[Any]]) -> "Emulator":
        """An emulator in exactly the saved state.

        ale-py's clone of a game in progress lacks the last action, the screen and more; a clone
        right after a reset is complete. So the actions since the reset are replayed, and the result
        is compared with the saved one.
        """
        return deque(cls.replayed(settings, state, 0), maxlen=1).pop()

    @classmethod
    def replayed(
        cls, settings: Settings, state: Mapping[str, NDArray[Any]], last: int
    ) -> Iterator["Emulator"]:
        """The emulator before and after each of the last decisions that led to a saved state.

        Args:
            settings: of the emulator.
            state: the saved state.
            last: how many decisions, or as many as there were since the reset.
        """
        if bytes(state["ale"]).decode() != version("ale-py"):
            was = bytes(state["ale"]).decode()
            raise ValueError(
                f"state must be of ale-py {version('ale-py')}, got one of ale-py {was}"
            )
        if not np.array_equal(state["rom"], _digest(rom_path(settings.game).read_bytes())):
            raise ValueError(f"state must be of this ROM of {settings.game}, got another")
        start = bytes(state["start"])
        # ale-py aborts the process on bytes that are not a valid state.
        if not np.array_equal(state["start_digest"], _digest(start)):
            raise ValueError("state is damaged: the checksum of its start does not match")
        actions = np.asarray(state["actions"]).tolist()
        before = max(len(actions) - last, 0)
        emulator = cls.played(settings, start, state["start_screen"], actions[:before])
        yield emulator
        for action in emulator._legal(actions[before:]):
            emulator.act(action)
            yield emulator
        if not np.array_equal(state["digest"], emulator._digest()):
            raise ValueError("state cannot be reproduced: screen or memory differ from those saved")

    @classmethod
    def played(
        cls, settings: Settings, start: bytes, screen: NDArray[np.uint8], actions: list[int]
    ) -> "Emulator":
        """An emulator that has replayed actions from the state after a reset.

        Args:
            settings: of the emulator.
            start: its state after the reset.
            screen: its screen then, which the state lacks and blending needs.
            actions: the actions since.
        """
        emulator = cls(settings, seed=0)
        if screen.shape != emulator.shape or screen.dtype != np.uint8:
            raise ValueError(f"state has a screen of {screen.shape} {screen.dtype}")
        legal = emulator._legal(actions)
        emulator._start = start
        emulator._first[:] = emulator._frame[:] = screen
        emulator._ale.restoreState(ALEState(start))
        for action in legal:
            emulator.act(action)
        return emulator

    def _legal(self, actions: list[int]) -> list[Action]:
        """The actions of these numbers."""
        legal = {action.value: action for action in self.action_set(minimal=False)}
        if not set(actions) <= set(legal):
            raise ValueError(f"state has actions that {self.settings.game} does not have")
        return [legal[action] for action in actions]

    def _digest(self) -> NDArray[np.uint8]:
        return _digest(self.screen().tobytes() + self.ram().tobytes())


def _digest(data: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(hashlib.sha256(data).digest(), np.uint8).copy()
