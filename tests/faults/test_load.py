"""A hundred trials, ten of which crash, hang or fill the disk: the others do not notice."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from phieb.evaluation.record import read_evaluation
from phieb.training import Config, Run, preset
from phieb.trials.local import Local
from phieb.trials.scheduler import ATTEMPTS, run_all
from phieb.trials.trial import Trial
from tests.faults.support import PATIENCE, assert_identical
from tests.faults.test_disk import small_disk

BAD = {"crash": 3, "raise": 2, "hang": 2, "fill": 3}
SAID = {
    "crash": "killed: Segmentation fault",
    "raise": "no more ice",
    "hang": "no sign of life",
    "fill": "No space left on device",
}
SETTINGS = {"frames": 600, "checkpoint_every": 200, "max_frames": 100}


def sound(seed: int) -> Config:
    return preset("default", "FrozenLake-v1", seed=seed, **SETTINGS)


def bad(how: str, seed: int, folder: Path) -> Config:
    args = {"how": how, "folder": str(folder)}
    return replace(sound(seed), game="tests.faults.bad_worlds:make", env_args=args)


def evaluated(run: Path) -> dict[str, Any]:
    """An evaluation, without what covers the log, and so the speeds in it."""
    found = read_evaluation(Run(run))
    assert found is not None
    del found["digest"], found["checkpoint"]["digest"]
    return found


@pytest.mark.slow
@pytest.mark.faults
def test_ten_of_a_hundred_trials_are_bad(tmp_path: Path) -> None:
    disk, alone = tmp_path / "disk", tmp_path / "alone"
    with small_disk(disk, 64_000):
        out = disk / "out"
        bads = [(how, seed) for how, many in BAD.items() for seed in range(1, many + 1)]
        trials = [Trial(bad(*one, disk), out / "-".join(map(str, one)), 1) for one in bads]
        trials += [Trial(sound(seed), out / str(seed), 1) for seed in range(1, 101 - len(bads))]
        ended = run_all(trials, Local(2), patience=PATIENCE / 6)
        assert len(ended) == 100
        for one in ended[: len(bads)]:
            assert (one.state, one.in_vain) == ("failed", ATTEMPTS), one
            assert SAID[one.trial.path.name.partition("-")[0]] in one.problem
        assert {one.state for one in ended[len(bads) :]} == {"done"}
        for trial in trials[len(bads) :]:
            other = replace(trial, path=alone / trial.path.name)
            other.finish()
            assert_identical(trial.path, other.path)
            assert evaluated(trial.path) == evaluated(other.path)
        assert not list(out.rglob("*.part"))
        assert not [name for name in os.listdir(disk) if name.startswith("junk")]
