"""A replay buffer for Stable-Baselines3 that keeps every picture once."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.buffers import BaseBuffer
from stable_baselines3.common.type_aliases import ReplayBufferSamples

from phieb import arguments
from phieb.deep.arrays import packed_pictures, unpacked_pictures

CHUNK = 2_048  # rows that are compressed together


class PictureReplay(BaseBuffer):  # type: ignore[misc]  # typed only where it is installed
    """Transitions, with one picture for each; observations are put together when they are sampled.

    A row has a picture, the action taken then, its reward, and whether it ended the episode. A row
    is `known`, and may be sampled, once its action has had its effect. With 84 × 84 pixels a row
    takes 7,070 bytes: a million of them 7 GB.

    Args:
        buffer_size: the number of rows; new ones overwrite the oldest.
        observation_space: (stacked, height, width) of bytes.
        action_space: of the actions, counted from 0.
        settings: what the library gives in addition; not used.
    """

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Box,
        action_space: spaces.Discrete,
        **settings: Any,
    ) -> None:
        super().__init__(buffer_size, observation_space, action_space, device="cpu")
        self._stacked, *shape = observation_space.shape
        self.pictures = np.zeros((buffer_size, *shape), np.uint8)
        self.actions = np.zeros(buffer_size, np.int64)
        self.rewards = np.zeros(buffer_size, np.float32)
        self.ends = np.zeros(buffer_size, np.bool_)
        self.known = np.zeros(buffer_size, np.bool_)
        self.since = np.zeros(buffer_size, np.uint8)  # pictures of the episode before it, if few
        self.total = 0  # rows written so far
        self._packed: dict[int, NDArray[np.uint8]] = {}  # chunks that have not changed since

    def start(self, picture: NDArray[np.uint8]) -> None:
        """An episode starts."""
        self._write(picture, 0)

    def step(self, action: int, reward: float, picture: NDArray[np.uint8]) -> None:
        """The action taken in the last row led to this picture."""
        last = self._effect(action, reward, ends=False)
        self._write(picture, min(int(self.since[last]) + 1, self._stacked - 1))

    def end(self, action: int, reward: float) -> None:
        """The action taken in the last row ended the episode."""
        self._effect(action, reward, ends=True)

    def cut(self, value: float) -> None:
        """The episode was cut at the last row, whose value is estimated to be this."""

    def sampled_from(self) -> NDArray[np.int64]:
        """Numbers of the rows that may be sampled: known, and no picture of theirs overwritten."""
        oldest = max(0, self.total - self.buffer_size)
        rows = np.flatnonzero(self.known)
        numbers = oldest + (rows - oldest) % self.buffer_size  # as counted from the first ever
        whole: NDArray[np.int64] = numbers[numbers >= oldest + self._stacked - 1]
        return whole if oldest else numbers

    def sample(self, batch_size: int, env: object = None) -> ReplayBufferSamples:
        """Transitions, drawn uniformly with NumPy's global generator, as the library does."""
        numbers = self.sampled_from()
        drawn = numbers[np.random.randint(0, numbers.size, batch_size)]  # noqa: NPY002
        return self._get_samples(drawn)

    def _get_samples(self, batch_inds: NDArray[np.int64], env: object = None) -> Any:
        rows = batch_inds % self.buffer_size
        ends = self.ends[rows]
        after = np.where(ends, batch_inds, batch_inds + 1)  # what comes after an end is not used
        return ReplayBufferSamples(
            torch.from_numpy(self.observations(batch_inds)),
            torch.from_numpy(self.actions[rows, None]),
            torch.from_numpy(self.observations(after)),
            torch.from_numpy(ends[:, None].astype(np.float32)),
            torch.from_numpy(self.rewards[rows, None]),
        )

    def observations(self, numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
        """(batch, stacked, height, width): what was seen in these rows."""
        back = np.arange(self._stacked - 1, -1, -1)
        since = self.since[numbers % self.buffer_size]
        rows = (numbers[:, None] - np.minimum(back, since[:, None])) % self.buffer_size
        seen: NDArray[np.uint8] = self.pictures[rows]
        return seen

    def _effect(self, action: int, reward: float, *, ends: bool) -> int:
        """The effect of the action that was taken in the last row."""
        row = int((self.total - 1) % self.buffer_size)
        self.actions[row], self.rewards[row], self.ends[row] = action, reward, ends
        self.known[row] = True
        return row

    def _write(self, picture: NDArray[np.uint8], since: int) -> None:
        row = self.total % self.buffer_size
        self.pictures[row], self.since[row], self.known[row] = picture, since, False
        self._packed.pop(row // CHUNK, None)
        self.total += 1

    def state(self) -> dict[str, NDArray[Any]]:
        """All rows, the pictures compressed, as arrays for `restore`."""
        used = min(self.total, self.buffer_size)
        for chunk in range(-(-used // CHUNK)):
            if chunk not in self._packed:
                rows = self.pictures[chunk * CHUNK : min((chunk + 1) * CHUNK, used)]
                self._packed[chunk] = packed_pictures(rows)
        return {
            "total": np.array([self.total]),
            **{name: getattr(self, name)[:used].copy() for name in self._columns()},
            **{f"pictures.{chunk}": packed for chunk, packed in self._packed.items()},
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        total = arguments.array_part("replay", state, "total", np.int64, (1,)).item()
        used = min(arguments.whole("replay's total", total), self.buffer_size)
        for name in self._columns():
            mine = getattr(self, name)
            mine[:used] = arguments.array_part("replay", state, name, mine.dtype.type, (used,))
            mine[used:] = 0
        if np.any(self.actions[:used] >= self.action_space.n) or np.any(self.actions[:used] < 0):
            raise ValueError("replay has actions that are none of the world")
        if np.any(self.since[:used] >= self._stacked):
            raise ValueError("replay has rows with more pictures than are stacked")
        self._packed = {}
        for chunk in range(-(-used // CHUNK)):
            rows = self.pictures[chunk * CHUNK : min((chunk + 1) * CHUNK, used)]
            name = f"pictures.{chunk}"
            packed = arguments.array_part("replay", state, name, np.uint8, (None,))
            rows[:], self._packed[chunk] = unpacked_pictures(packed, rows.shape), packed
        self.total = total

    def _columns(self) -> tuple[str, ...]:
        """Names of the arrays with a number for each row."""
        return "actions", "rewards", "ends", "known", "since"
