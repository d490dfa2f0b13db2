"""A bonus that writes down what it is told, and an environment that counts."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb.novelty import Bonus

LENGTH = 3  # steps an episode of `Count`


class Diary(Bonus):
    """The bonus is 10, 20, 30, …, one step after another, starts included."""

    def __init__(self) -> None:
        self.told: list[tuple[list[int], int | None]] = []

    def observe(self, seen: Any, action: int | None = None) -> float:
        self.told.append((np.asarray(seen).tolist(), action))
        self.pseudocount = float(len(self.told) - 1)
        return 10.0 * len(self.told)

    def settings(self) -> dict[str, Any]:
        return {}

    def state(self) -> dict[str, NDArray[Any]]:
        return {"told": np.array([len(self.told)])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        assert list(state) == ["told"]
        self.told = [([], None)] * int(state["told"][0])


class Forgetful(Diary):
    """One that remembers the observation before."""

    def reset(self) -> None:
        self.told.append(([], None))


class Count(gymnasium.Env[np.int64, np.int64]):
    """States `first`, `first` + 1, …, the reward the state's number; ends or is cut after three."""

    observation_space = spaces.Discrete(1_000)
    action_space = spaces.Discrete(5)

    def __init__(self, first: int = 0, cut: bool = False) -> None:
        self.first, self.cut = first, cut
        self.state = self.begun = first

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.int64, dict[str, Any]]:
        super().reset(seed=seed)
        self.begun = self.state
        return np.int64(self.state), {"twice": 2 * self.state}

    def step(self, action: np.int64) -> tuple[np.int64, float, bool, bool, dict[str, Any]]:
        self.state += 1
        over, info = self.state - self.begun == LENGTH, {"twice": 2 * self.state}
        ended, cut = over and not self.cut, over and self.cut
        return np.int64(self.state), float(self.state), ended, cut, info
