"""Weights that are no numbers, or explode: the run stops, and no such state is saved."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phieb.learning import SarsaLambda
from phieb.learning.value import LinearValue
from phieb.training import RunError, checkpoint, resume, train
from phieb.training.training import Training
from tests.faults.support import (
    FRAMES,
    Ears,
    assert_identical,
    config,
    contents,
    saved_frames,
)


class Spoiler(Ears):
    """Looks on, and changes the weights at some frame."""

    def __init__(self, at: int, spoil: Callable[[Training], None]) -> None:
        super().__init__()
        self.at, self.spoil, self.spoilt = at, spoil, 0

    def begin(self, training: Training, episodes: list[dict[str, Any]]) -> None:
        self.training = training

    def decision(self) -> None:
        if not self.spoilt and self.training.frames >= self.at:
            self.spoilt = self.training.frames
            self.spoil(self.training)


def agent_of(training: Training) -> SarsaLambda:
    agent = training.learner.agent
    assert isinstance(agent, SarsaLambda)
    return agent


def linear_of(training: Training) -> LinearValue:
    return agent_of(training).linear


def explode(training: Training) -> None:
    """The values of the actions, of the features that are on."""
    linear_of(training).tables.sums[:] *= 1e30


def live_nan(training: Training) -> None:
    linear_of(training).tables.sums[:] = np.nan


def newest_off(training: Training) -> int:
    """The row of a feature that is off, and hardly ever on."""
    agent = agent_of(training)
    on = agent.active_set.on()
    return int(np.setdiff1d(np.arange(agent.num_observed), on)[-1])


def one_nan(training: Training) -> None:
    linear_of(training).tables.table[newest_off(training), 0] = np.nan


def one_explodes(training: Training) -> None:
    linear_of(training).tables.table[newest_off(training), 0] = 1e30


def infinite_memory(training: Training) -> None:
    """What is remembered of the last decision, and enters the next update."""
    agent_of(training).remembered.q_taken[:] = np.inf


@pytest.mark.parametrize(
    ("spoil", "at"),  # between checkpoints, or right before one
    [
        (explode, 1_400),
        (explode, 1_995),
        (live_nan, 1_995),
        (one_nan, 1_600),
        (one_explodes, 1_600),
        (infinite_memory, 1_600),
    ],
)
def test_a_bad_state_is_never_saved(
    spoil: Callable[[Training], None], at: int, tmp_path: Path, reference: Path
) -> None:
    path, watch = tmp_path / "run", Spoiler(at, spoil)
    with pytest.raises(RunError) as stopped:
        train(config(), path, watch)
    assert watch.spoilt >= at
    frame = watch.training.frames
    assert f"{path}: diverged at frame {frame:,}: " in str(stopped.value)
    assert "\n" not in str(stopped.value)
    assert saved_frames(path) < watch.spoilt
    for folder in (path / "checkpoints").iterdir():
        for part in checkpoint.read(folder)[0].values():
            for array in part.values():
                assert array.dtype.kind != "f" or np.all(np.abs(array) < 1e20)
    if spoil is live_nan:
        resume(path, frames=FRAMES)  # from the last good state
        assert_identical(path, reference)


def test_it_stops_again_if_nothing_changes(tmp_path: Path) -> None:
    """And the folder stays as it was."""
    path = tmp_path / "run"
    found = []
    for _ in range(2):
        with pytest.raises(RunError, match="diverged at frame 2,"):
            train(config(), path, Spoiler(2_500, live_nan))
        found.append(contents(path / "checkpoints"))
    assert found[0] == found[1]
