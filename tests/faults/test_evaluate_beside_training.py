"""Evaluation while the run trains: scores belong to the checkpoint that they are written under."""

import json
from pathlib import Path
from typing import Any

from phieb.evaluation.evaluate import evaluate
from phieb.training import Run, train
from tests.faults.support import Started, config, options, phieb, saved_frames

GAME = "boxing"  # scores change within a few hundred frames of training
EVERY, LENGTH = 200, 600  # many checkpoints are deleted while one evaluation starts


def evaluated_beside(training: Started, run: Path, times: int) -> list[dict[str, Any]]:
    """Evaluations by real processes, each of a checkpoint that is soon deleted."""
    found = []
    for _ in range(times):
        training.wait_for(lambda: saved_frames(run) > 1_000)
        done = phieb("evaluate", run, "--episodes", 3, "--workers", 2)
        assert (done.returncode, done.stderr) == (0, "")
        assert "warning" not in done.stdout
        found.append(json.loads((run / "evaluation.json").read_text()))
        assert saved_frames(run) > found[-1]["frames"] + 2 * EVERY  # it is gone
        assert f"after {found[-1]['frames']:,} frames" in done.stdout
    return found


def test_scores_are_those_of_the_same_checkpoint_evaluated_alone(tmp_path: Path) -> None:
    """Alone: the same run, trained once more up to that frame."""
    run, alone = tmp_path / "run", tmp_path / "alone"
    small = {"checkpoint-every": EVERY, "max-frames": LENGTH, "preset": "product"}
    with Started("train", *options(GAME, frames=10**9, **small), "--out", run) as training:
        beside = evaluated_beside(training, run, 3)
    for one in beside:
        settings = {"frames": one["frames"], "checkpoint_every": EVERY, "max_frames": LENGTH}
        settings["per_feature"] = False
        expected = evaluate(train(config(GAME, **settings), alone), 3, workers=1)
        assert Run(alone).saved_frames() == one["frames"]
        for results in (one, expected):
            results["checkpoint"].pop("digest")  # it covers the log, and so the speeds in it
            results.pop("digest")  # and this one covers that one
        assert one == expected
    assert len({str(one["behaviour"]["scores"]) for one in beside}) > 1  # or it shows nothing
