"""The emulator with one setting of everything, and its exact state.

Nothing that reaches ale-py here can make it end the process: games, actions, probabilities and
seeds are checked by `Atari` before.
"""

import hashlib
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
from ale_py import Action, ALEInterface, ALEState, LoggerMode
from numpy.typing import NDArray

from phieb.worlds.blend import blend
from phieb.worlds.games import check_blends, rom_path

SEED_LIMIT = 2**31  # the emulator takes seeds below it; -1 would be the clock


class Settings(NamedTuple):
    """All that ale-py is told before it loads a game."""

    game: str
    sticky: float
    frame_skip: int
    blend: bool


class Emulator:
    """A game loaded, played in decisions of `frame_skip` frames."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings, self._blends = settings, settings.blend
        if settings.blend:
            check_blends(settings.game)
        ALEInterface.setLoggerMode(LoggerMode.Error)
        self._ale = ALEInterface()
        # All settings before the game is loaded: later they have no effect.
        self._ale.setInt("random_seed", seed)
        self._ale.setFloat("repeat_action_probability", settings.sticky)
        # To blend the last two frames of a decision both must be seen: frame by frame then.
        self._ale.setInt("frame_skip", 1 if settings.blend else settings.frame_skip)
        self._ale.loadROM(rom_path(settings.game))
        height, width = self._ale.getScreenDims()
        self._frame, self._before = (np.zeros((height, width), np.uint8) for _ in range(2))
        self._screen = np.zeros((height, width), np.uint8)
        self._ram = np.zeros(self._ale.getRAMSize(), np.uint8)
        self._start, self._first = b"", self._frame.copy()
        self._actions: list[Action] = []

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the screen."""
        height, width = self._screen.shape
        return height, width

    def action_set(self, minimal: bool) -> list[Action]:
        """The actions that do something, or all."""
        ale = self._ale
        return list(ale.getMinimalActionSet() if minimal else ale.getLegalActionSet())

    def reset(self) -> None:
        """A new game, from whatever state chance is in."""
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
            # After the end nothing moves, but chance is drawn all the same, as in one long act.
            reward += self._ale.act(action)
            if not over:
                self._frame, self._before = self._before, self._frame
                self._ale.getScreen(self._frame)
        return reward

    def screen(self) -> NDArray[np.uint8]:
        """What is seen after a decision; written over by the next call."""
        if self._blends:
            blend(self._before, self._frame, out=self._screen)
        else:
            self._ale.getScreen(self._screen)
        return self._screen

    def game_over(self) -> bool:
        """Whether the game itself has ended."""
        return bool(self._ale.game_over())

    def frames(self) -> int:
        """Frames played since the last reset."""
        return int(self._ale.getEpisodeFrameNumber())

    def lives(self) -> int:
        """Lives left, as the game counts them."""
        return int(self._ale.lives())

    def ram(self) -> NDArray[np.uint8]:
        """The console's 128 bytes; written over by the next call."""
        self._ale.getRAM(self._ram)
        return self._ram

    def rgb(self) -> NDArray[np.uint8]:
        """The last frame in colours."""
        return np.asarray(self._ale.getScreenRGB())

    def state(self) -> dict[str, NDArray[Any]]:
        """What `resumed` needs: the state after the last reset, and the decisions since."""
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
        """An emulator in just the state that `state` was taken in.

        A clone taken in mid-game forgets the last action, the screen and more. A clone taken right
        after a reset is whole; the decisions since are played again, and the outcome is compared.
        """
        if bytes(state["ale"]).decode() != version("ale-py"):
            was = bytes(state["ale"]).decode()
            raise ValueError(f"state is of ale-py {was}, this is ale-py {version('ale-py')}")
        if not np.array_equal(state["rom"], _digest(rom_path(settings.game).read_bytes())):
            raise ValueError(f"state is of another ROM than this {settings.game}")
        start = bytes(state["start"])
        # Bytes that are not an emulator's state must not reach it: it would not survive them.
        if not np.array_equal(state["start_digest"], _digest(start)):
            raise ValueError("state is damaged: its start is not what was saved")
        actions = np.asarray(state["actions"]).tolist()
        emulator = cls.played(settings, start, state["start_screen"], actions)
        if not np.array_equal(state["digest"], emulator._digest()):
            raise ValueError("state does not lead back to the screen and memory it was taken with")
        return emulator

    @classmethod
    def played(
        cls, settings: Settings, start: bytes, screen: NDArray[np.uint8], actions: list[int]
    ) -> "Emulator":
        """An emulator that has played these actions from where a reset had led to.

        Args:
            settings: of the emulator.
            start: its state after the reset.
            screen: its screen then, which the state lacks; the next frame is blended with it.
            actions: what was played since.
        """
        emulator = cls(settings, seed=0)
        if screen.shape != emulator.shape or screen.dtype != np.uint8:
            raise ValueError(f"state has a screen of {screen.shape} {screen.dtype}")
        legal = {action.value: action for action in emulator.action_set(minimal=False)}
        if not set(actions) <= set(legal):
            raise ValueError(f"state has actions that {settings.game} does not have")
        emulator._start = start
        emulator._first[:] = emulator._frame[:] = screen
        emulator._ale.restoreState(ALEState(start))
        for action in actions:
            emulator.act(legal[action])
        return emulator

    def _digest(self) -> NDArray[np.uint8]:
        return _digest(self.screen().tobytes() + self.ram().tobytes())


def _digest(data: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(hashlib.sha256(data).digest(), np.uint8).copy()
