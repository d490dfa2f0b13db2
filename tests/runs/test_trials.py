"""Many trials: real processes that are stopped, killed, hang and fail."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from phieb.runs import Run, StoppedError, preset, train
from phieb.runs.local import Local
from phieb.runs.trials import Progress, Trial, run_all


def trials(out: Path, frames: int = 3_000) -> list[Trial]:
    return [
        Trial(
            preset("default", "venture", seed=seed, frames=frames, checkpoint_every=1_000),
            out / f"v{seed}",
            episodes=1,
        )
        for seed in (1, 2, 3)
    ]


def contents(out: Path) -> dict[str, list[float]]:
    return {
        run.name: [line["score"] + line["bonus"] for line in Run(run).episodes()]
        for run in sorted(out.glob("v*"))
    }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed")
    ended = run_all(trials(out), Local(2))
    assert [one.state for one in ended] == ["done"] * 3
    return out


def test_all_are_trained_and_evaluated_and_done_the_next_time(undisturbed: Path) -> None:
    assert all(trial.is_done() for trial in trials(undisturbed))
    assert not any(trial.is_done() for trial in trials(undisturbed, frames=4_000_000))
    looks: list[list[Progress]] = []
    ended = run_all(trials(undisturbed), Local(2), looks.append)
    assert [(one.state, one.attempts) for one in ended] == [("done", 0)] * 3


def test_a_trial_that_is_killed_is_tried_again_and_ends_the_same(
    tmp_path: Path, undisturbed: Path
) -> None:
    killed: list[Progress] = []

    def kill_once(everything: list[Progress]) -> None:
        first = everything[0]
        if not killed and first.state == "running" and Run(first.trial.path).saved_frames() > 900:
            job = first.job
            assert job is not None
            os.kill(job._process.pid, signal.SIGKILL)  # type: ignore[attr-defined]
            killed.append(first)

    ended = run_all(trials(tmp_path), Local(2), kill_once)
    assert [(one.state, one.attempts) for one in ended] == [("done", 2), ("done", 1), ("done", 1)]
    assert contents(tmp_path) == contents(undisturbed)


def test_a_trial_that_hangs_is_tried_again(tmp_path: Path, undisturbed: Path) -> None:
    frozen: list[Progress] = []

    def freeze_once(everything: list[Progress]) -> None:
        first = everything[0]
        if not frozen and first.state == "running" and Run(first.trial.path).saved_frames() > 900:
            os.kill(first.job._process.pid, signal.SIGSTOP)  # type: ignore[union-attr]
            frozen.append(first)

    ended = run_all(trials(tmp_path)[:1], Local(1), freeze_once, patience=20.0)
    assert frozen
    assert (ended[0].state, ended[0].attempts) == ("done", 2)
    assert contents(tmp_path)["v1"] == contents(undisturbed)["v1"]


def test_a_trial_that_always_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    first, second, _ = trials(tmp_path, frames=1_000)
    first.path.mkdir()
    (first.path / "mine.txt").write_text("not a run")
    ended = run_all([first, second], Local(2))
    assert [(one.state, one.attempts) for one in ended] == [("failed", 3), ("done", 1)]
    assert "exists and is not a run" in ended[0].problem
    assert (first.path / "mine.txt").read_text() == "not a run"


def test_stopped_and_started_again_it_ends_the_same(tmp_path: Path) -> None:
    out, plain = tmp_path / "out", tmp_path / "plain"

    def ask_to_stop() -> None:
        while not list(out.glob("v1/checkpoints/*")):
            time.sleep(0.05)
        time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=ask_to_stop).start()
    both = trials(out, frames=40_000)[:2]
    with pytest.raises(StoppedError, match="the same command goes on from here"):
        run_all(both, Local(2))
    assert 0 < Run(both[0].path).saved_frames() < 40_000
    assert not any(trial.is_done() for trial in both)
    assert [one.state for one in run_all(both, Local(2))] == ["done", "done"]
    for trial in both:
        train(trial.config, plain / trial.path.name)
    assert contents(out) == contents(plain)
