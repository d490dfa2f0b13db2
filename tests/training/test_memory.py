"""The warning of maps that may take much memory, and that its estimate is about right."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from phieb.training import Config, train
from phieb.training.given import Given
from phieb.training.loop import Unwatched
from phieb.training.memory import A_FEATURE, A_VALUE, memory_warning, most_memory
from phieb.training.training import Training


class Ring(gymnasium.Env[Any, Any]):
    """A new state in every step."""

    action_space = gymnasium.spaces.Discrete(3)

    def __init__(self, size: int) -> None:
        self.observation_space = gymnasium.spaces.Discrete(size)
        self.size, self.state = size, 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        return np.int64(self.state), {}

    def step(self, action: Any) -> Any:
        self.state = (self.state + 1) % self.size
        return np.int64(self.state), 0.0, False, self.state % 50 == 0, {}


def test_it_is_said_once_before_the_run(tmp_path: Path) -> None:
    heard: list[str] = []
    train(Config("given", frames=300), tmp_path / "a", Unwatched(heard.append), env=Ring(10**9))
    assert heard == []  # in so few steps few states are seen
    training = Training(Config("given", frames=10**8), Given(env=Ring(10**9)))
    training.start_episode()
    said = memory_warning(training)
    assert said is not None
    assert "may observe 100,000,000 of them, about 10.0 GB" in said


@pytest.mark.parametrize("size", [20_000])
def test_the_estimate_is_what_the_tables_take(size: int) -> None:
    training = Training(Config("given", frames=size), Given(env=Ring(size)))
    training.start_episode()
    while training.frames < size:
        if training.step():
            training.start_episode()
    num, estimate = most_memory(training)
    assert num == size == training.learner.agent.num_observed
    arrays = training.learner.state()
    saved = sum(part.nbytes for part in arrays.values() if len(part) == size)
    assert saved < estimate < 3 * saved  # tables have room to grow, and an index
    assert estimate == size * (A_FEATURE + A_VALUE * 9)
