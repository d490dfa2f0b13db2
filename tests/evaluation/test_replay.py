"""A run trained once more: the same to the bit, or it says so."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from phieb.evaluation.replay import replayed
from phieb.training import Config, RunError, train


def test_a_run_trained_again_is_the_run_at_every_moment(tmp_path: Path) -> None:
    run = train(Config("FrozenLake-v1", frames=400, checkpoint_every=150), tmp_path / "run")
    frames = run.saved_frames()
    at = []
    for training in replayed(run, frames, 4):
        at.append(training.frames)
        state = training.state() if training.world.can_be_saved else None
    assert all(frames * k / 4 - 1 < one for k, one in enumerate(at, start=1))
    newest = run.newest(print)
    assert newest is not None
    assert state is not None
    for part, arrays in newest[0].items():
        for name, array in arrays.items():
            assert np.array_equal(state[part][name], array), (part, name)


def test_an_episode_that_comes_out_otherwise_is_said(tmp_path: Path) -> None:
    run = train(Config("FrozenLake-v1", frames=200), tmp_path / "run")
    lines = run.log_file.read_text().splitlines()
    line = json.loads(lines[2])
    lines[2] = json.dumps({**line, "bonus": line["bonus"] + 0.1})
    run.log_file.write_text("\n".join(lines) + "\n")
    shutil.rmtree(run.checkpoints)  # they would know that the log is another
    says = "episode 3 has another bonus when it is trained again: other versions, or"
    with pytest.raises(RunError, match=says):
        list(replayed(run, 200, 2))
