"""Many trials: real processes that are stopped, killed, hang and fail."""

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from phieb.evaluation.record import read_evaluation
from phieb.training import Run, RunError, StoppedError, preset
from phieb.trials.local import Local
from phieb.trials.scheduler import ATTEMPTS, Progress, run_all
from phieb.trials.trial import Trial


def trials(out: Path, frames: int = 12_000, every: int = 1_000) -> list[Trial]:
    settings = {"frames": frames, "checkpoint_every": every, "max_frames": 900}
    return [
        Trial(preset("default", "venture", seed=seed, **settings), out / f"v{seed}", episodes=1)
        for seed in (1, 2, 3)
    ]


def contents(out: Path) -> dict[str, Any]:
    """The bonus of every episode, and what evaluation found."""
    found: dict[str, Any] = {}
    for path in sorted(out.glob("v*")):
        bonuses = [line["bonus"] for line in Run(path).episodes()]
        assert len(bonuses) > 10
        evaluation = read_evaluation(Run(path))
        assert evaluation is not None
        # They cover the log, and so the speeds in it.
        del evaluation["digest"], evaluation["checkpoint"]["digest"]
        found[path.name] = bonuses, evaluation
    return found


def is_half_way(one: Progress) -> bool:
    return one.state == "running" and 1_000 < Run(one.trial.path).saved_frames() < 12_000


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


def test_a_trial_that_gets_on_is_tried_again_however_often_it_is_killed(tmp_path: Path) -> None:
    """And all end the same as if it had not been."""
    frames = 80_000  # long enough that a fast machine is still training at the fifth look
    killed = [0]  # frames

    def kill_again(everything: list[Progress]) -> None:
        first = everything[0]
        saved = Run(first.trial.path).saved_frames()
        if first.state == "running" and killed[-1] < saved < frames and len(killed) < 5:
            os.kill(first.job._process.pid, signal.SIGKILL)  # type: ignore[union-attr]
            killed.append(saved)

    run_all(trials(tmp_path / "undisturbed", frames)[:2], Local(2))
    ended = run_all(trials(tmp_path / "killed", frames)[:2], Local(2), kill_again)
    assert len(killed) > ATTEMPTS
    assert [(one.state, one.attempts) for one in ended] == [("done", len(killed)), ("done", 1)]
    assert contents(tmp_path / "killed") == contents(tmp_path / "undisturbed")


def test_a_trial_that_hangs_is_tried_again(tmp_path: Path, undisturbed: Path) -> None:
    frozen: list[Progress] = []

    def freeze_once(everything: list[Progress]) -> None:
        first = everything[0]
        if not frozen and is_half_way(first):
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
    began = time.monotonic()
    ended = run_all([first, second], Local(2))
    assert time.monotonic() - began > 2.0 + 4.0  # it is not tried again at once
    assert [(one.state, one.attempts) for one in ended] == [("failed", 3), ("done", 1)]
    assert "exists and is not a run" in ended[0].problem
    assert (first.path / "mine.txt").read_text() == "not a run"


def test_stopped_and_started_again_it_ends_the_same(tmp_path: Path, undisturbed: Path) -> None:
    """All are saved where they are: no checkpoint is due in between."""
    rare = 10**9

    def ask_to_stop() -> None:
        while not Run(tmp_path / "v1").last_episodes():
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=ask_to_stop, daemon=True).start()
    with pytest.raises(StoppedError, match="run the same command again to resume"):
        run_all(trials(tmp_path, every=rare), Local(2))
    assert 900 < Run(tmp_path / "v1").saved_frames() < 12_000
    assert not any(trial.is_done() for trial in trials(tmp_path, every=rare))
    ended = run_all(trials(tmp_path, every=rare), Local(2))
    assert [one.state for one in ended] == ["done"] * 3
    assert contents(tmp_path) == contents(undisturbed)


def test_a_run_with_other_settings_is_not_taken_for_done(undisturbed: Path) -> None:
    other = [replace(one, config=replace(one.config, beta=0.1)) for one in trials(undisturbed)]
    shorter = trials(undisturbed, frames=6_000)
    for asked, says in ((other, "beta is 0.3 there and 0.1 here"), (shorter, "12,000 there")):
        with pytest.raises(RunError, match=says):
            run_all(asked, Local(2))


def test_a_problem_of_the_one_who_looks_ends_all_trials(tmp_path: Path) -> None:
    jobs: list[Any] = []

    def fall_over(everything: list[Progress]) -> None:
        jobs.extend(one.job for one in everything if one.job is not None)
        raise KeyError("look")

    with pytest.raises(KeyError):
        run_all(trials(tmp_path), Local(2), fall_over)
    assert jobs
    assert all(job.outcome() is not None for job in jobs)
