"""Double DQN with mixed Monte-Carlo returns (Bellemare et al. 2016; Ostrovski et al. 2017)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments
from phieb.deep.dqn import Ddqn, DoubleDQN, ReplaySettings
from phieb.deep.replay import PictureReplay


@dataclass(frozen=True)
class MixedSettings(ReplaySettings):
    """`ReplaySettings`, and the weight of the returns.

    Attributes:
        monte_carlo: η, the weight of the return in the target; 0.1 in both papers.
    """

    monte_carlo: float = 0.1


class ReturnReplay(PictureReplay):
    """A replay buffer that also keeps returns: rows are known once their episode is over.

    Args:
        buffer_size: the number of rows; new ones overwrite the oldest.
        observation_space: (stacked, height, width) of bytes.
        action_space: of the actions, counted from 0.
        settings: what the library gives in addition; not used.

    Attributes:
        gamma: γ of the returns.
    """

    gamma: float

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Box,
        action_space: spaces.Discrete,
        **settings: Any,
    ) -> None:
        super().__init__(buffer_size, observation_space, action_space, **settings)
        self.returns = np.zeros(buffer_size, np.float32)
        self.first = 0  # number of the first row of the episode

    def start(self, picture: NDArray[np.uint8]) -> None:
        """An episode starts."""
        self.first = self.total
        super().start(picture)

    def end(self, action: int, reward: float) -> None:
        """The action taken in the last row ended the episode."""
        super().end(action, reward)
        self._finish(self.total, 0.0)

    def cut(self, value: float) -> None:
        """The episode was cut at the last row, whose value is estimated to be this."""
        self._finish(self.total - 1, value)

    def returns_of(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """The discounted sums of rewards from these rows on."""
        found: NDArray[np.float32] = self.returns[numbers % self.buffer_size]
        return found

    def sample(self, batch_size: int, env: object = None) -> Any:
        """Transitions as the library samples them, with returns in the place of `discounts`."""
        numbers = self.sampled_from()
        drawn = numbers[np.random.randint(0, numbers.size, batch_size)]  # noqa: NPY002
        returns = torch.from_numpy(self.returns_of(drawn)[:, None])
        return self._get_samples(drawn)._replace(discounts=returns)

    def _effect(self, action: int, reward: float, *, ends: bool) -> int:
        row = super()._effect(action, reward, ends=ends)
        self.known[row] = False
        return row

    def _finish(self, after: int, value: float) -> None:
        """The episode is over: returns of its rows, as far as they are still there."""
        for number in range(after - 1, max(self.first, self.total - self.buffer_size) - 1, -1):
            row = number % self.buffer_size
            value = float(self.rewards[row]) + self.gamma * value
            self.returns[row], self.known[row] = value, True

    def state(self) -> dict[str, NDArray[Any]]:
        """All rows, as arrays for `restore`."""
        return {**super().state(), "first": np.array([self.first])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        first = arguments.array_part("replay", state, "first", np.int64, (1,)).item()
        super().restore(state)
        self.first = arguments.whole("replay's first", first, high=self.total)

    def _columns(self) -> tuple[str, ...]:
        return *super()._columns(), "returns"


class MixedDQN(DoubleDQN):
    """Double DQN whose target is mixed with the return G: (1 − η)·target + η·G.

    Attributes:
        monte_carlo: η.
    """

    monte_carlo: float

    def targets(self, batch: Any) -> torch.Tensor:
        """(batch, 1): what Q(s, a) is to become."""
        double: torch.Tensor = super().targets(batch)
        mixed: torch.Tensor = torch.lerp(double, batch.discounts, self.monte_carlo)
        return mixed


class DdqnMixed(Ddqn):
    """`Ddqn` with mixed Monte-Carlo returns of r⁺, the bonus of the time included."""

    kind = MixedDQN
    replay_kind = ReturnReplay
    settings_kind = MixedSettings
    settings: MixedSettings

    def _set_up(self) -> None:
        if self.settings.monte_carlo > 1.0:
            raise ValueError(f"monte_carlo must be at most 1, got {self.settings.monte_carlo}")
        self.algorithm.monte_carlo = self.settings.monte_carlo
        self.replay.gamma = self.algorithm.gamma
