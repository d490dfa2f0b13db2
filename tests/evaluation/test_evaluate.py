"""What can be done with a run: evaluate, play, show, list, TensorBoard; real processes."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import av
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from phieb.evaluation.evaluate import evaluate
from phieb.evaluation.frozen import Frozen, decisions, play_episode
from phieb.evaluation.record import read_evaluation
from phieb.training import Run, RunError, StoppedError, train
from tests.faults.support import (
    Started,
    assert_clean_error,
    assert_one_line,
    config,
    contents,
    newest,
    options,
    phieb,
    rewrite_manifest,
)

SECONDS = 10.0  # in which a command that is asked to stop has stopped, on a busy machine


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "runs" / "venture[v2]"
    train(config(frames=2_500, max_frames=600), path)
    return path


@pytest.fixture
def run(trained: Path, tmp_path: Path) -> Path:
    return shutil.copytree(trained, tmp_path / "runs" / trained.name)


def test_evaluate_is_the_same_on_any_number_of_processes(run: Path) -> None:
    """And the same as in this one, episode by episode."""
    before = contents(run)
    results = [evaluate(Run(run), 2, workers=1)]
    done = phieb("evaluate", run, "--episodes", 2, "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert "behaviour: the value trained with" in done.stdout
    results.append(json.loads((run / "evaluation.json").read_text()))
    assert results[0] == results[1] == read_evaluation(Run(run))
    after = contents(run)
    assert after.pop("evaluation.json") == after.pop(f"evaluations/{newest(run).name}.json")
    assert after == before
    frozen = Frozen.of_run(Run(run))
    for kind in ("behaviour", "extrinsic"):
        played = [play_episode(frozen, kind, k) for k in range(2)]
        assert results[0][kind]["scores"] == [one.score for one in played]
        assert results[0][kind]["frames"] == [one.frames for one in played]
        low, high = results[0][kind]["interval"]
        assert low <= results[0][kind]["mean"] <= high


def players(pid: int) -> list[int]:
    """Processes that another has started and that have come as far as the emulator."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found if "ale_py" in Path(f"/proc/{child}/maps").read_text()]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_process_that_evaluates_is_killed(run: Path) -> None:
    before = contents(run)
    with Started("evaluate", run, "--episodes", 2_000, "--workers", 2) as evaluation:
        evaluation.wait_for(lambda: len(players(evaluation.pid)) == 2)
        os.kill(players(evaluation.pid)[0], signal.SIGKILL)
        code, _, err = evaluation.end()
    assert code == 1
    assert_one_line(err, run, "a process that evaluated was killed")
    assert contents(run) == before


PROGRAM = """
import phieb
from phieb.evaluation.evaluate import evaluate

config = phieb.preset("default", "venture", frames=1_000, max_frames=900)
print(evaluate(phieb.train(config, "run"), 1, workers=2)["behaviour"]["mean"])
"""


def test_a_program_that_trains_when_it_is_imported_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "RunError: training when the program is imported: put it under if" in done.stderr
    assert "RunError: run: a process that evaluated was killed, or could not imp" in done.stderr
    assert 'evaluate under if __name__ == "__main__":\n' in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_evaluation_is_stopped(number: int, code: int, run: Path) -> None:
    """Within seconds, and no process of it is left over."""
    before = contents(run)
    with Started("evaluate", run, "--episodes", 2_000, "--workers", 2) as evaluation:
        evaluation.wait_for(lambda: len(players(evaluation.pid)) == 2)
        workers = players(evaluation.pid)
        try:
            evaluation.send(number)
            ended = evaluation.process.wait(SECONDS)
            sleep(1)
            left = [pid for pid in workers if is_running(pid)]
        finally:
            for pid in filter(is_running, workers):
                os.kill(pid, signal.SIGKILL)
        _, _, err = evaluation.end()
    assert ended == code
    assert left == []
    assert_one_line(err, "stopped; ")
    if "nothing was written" in err:
        assert contents(run) == before
    else:
        assert read_evaluation(Run(run)) is not None


def stop_after(episodes: int) -> Callable[[], None]:
    """Ctrl-C when so many have been played."""
    played = iter(range(1, 10_000))

    def advance() -> None:
        if next(played) == episodes:
            os.kill(os.getpid(), signal.SIGINT)

    return advance


def test_what_was_played_before_it_was_stopped_is_kept(run: Path) -> None:
    """It is what an evaluation of so many episodes is, and replaces none of more."""
    with pytest.raises(StoppedError, match="the first 2 of 50 episodes are in .*evaluation.json"):
        evaluate(Run(run), 50, workers=1, advance=stop_after(5))  # two with each value, and one
    kept = contents(run)
    assert evaluate(Run(run), 2, workers=1) == read_evaluation(Run(run))
    assert contents(run) == kept
    for episodes in (1, 5):
        with pytest.raises(StoppedError, match="nothing was written"):
            evaluate(Run(run), 50, workers=1, advance=stop_after(episodes))
    assert contents(run) == kept


@pytest.mark.parametrize("place", ["evaluation.json", "evaluations"])
def test_it_finds_out_before_it_plays_that_it_cannot_write(place: str, run: Path) -> None:
    file = run / place
    if place == "evaluations":
        file.write_text("not a folder")
    else:
        run.joinpath("evaluations").mkdir()
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    before, played = contents(run), list[int]()
    try:
        if place != "evaluations":
            resource.setrlimit(resource.RLIMIT_FSIZE, (500, limit[1]))
        with pytest.raises(RunError, match="evaluation"):
            evaluate(Run(run), 1, workers=1, advance=lambda: played.append(1))
    finally:
        if place != "evaluations":
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert (played, contents(run)) == ([], before)


def test_evaluate_before_there_is_a_checkpoint(tmp_path: Path) -> None:
    Run(tmp_path / "run").create(config())
    with pytest.raises(RunError, match="no checkpoint yet"):
        evaluate(Run(tmp_path / "run"), 1)


def test_a_checkpoint_of_another_version_is_evaluated_with_one_warning(
    run: Path, tmp_path: Path
) -> None:
    there = evaluate(Run(run), 1, workers=1)
    for folder in (run / "checkpoints").iterdir():
        rewrite_manifest(folder, lambda facts: facts["versions"].update(phieb="0.4.9", numba="0"))
    said = list[str]()
    found = evaluate(Run(run), 1, workers=2, warn=said.append)
    assert found["behaviour"] == there["behaviour"]
    (line,) = said
    assert line.startswith(f"{run}: trained with other versions, scores may differ: phieb is 0.4.9")
    assert "numba is 0 there and" in line
    for command in (("evaluate", run, "--episodes", 1), ("play", run, "--out", tmp_path / "f.mp4")):
        done = phieb(*command)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.count("phieb: warning: ") == 1
    assert_clean_error(phieb("resume", run, "--frames", "9k"), 1, "phieb is 0.4.9 there and")


def test_play_films_every_decision(run: Path, tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    done = phieb("play", run, "--out", film, "--episode", 2)
    assert done.returncode == 0, done.stderr
    expected = list(decisions(Frozen.of_run(Run(run)), "behaviour", 2))
    assert f"in {expected[-1].frames:,} frames" in done.stdout
    with av.open(str(film)) as opened:
        pictures = [frame.to_ndarray(format="rgb24") for frame in opened.decode(video=0)]
    assert len(pictures) == len(expected)
    assert pictures[0].shape == (720, 1280, 3)
    assert pictures[0].std() > 10
    assert film.stat().st_size < 10e6 * len(pictures) / (24 * 60) + 1e5
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".mp4"] == ["film.mp4"]


def test_show_prints_settings_and_scores(run: Path) -> None:
    done = phieb("show", run.name, cwd=run.parent)
    assert (done.returncode, done.stderr) == (0, "")
    for text in ("max_frames", "600", "preset: own settings", "episodes", "of 2,500 frames"):
        assert text in done.stdout
    assert f"{len(Run(run).episodes())}" in done.stdout
    assert run.name in done.stdout  # brackets are part of a name


def test_runs_lists_good_and_bad_ones(run: Path) -> None:
    shutil.copytree(run, run.parent / "deeper" / "other")
    (run.parent / "deeper" / "other" / "config.json").write_text("{")
    done = phieb("runs", run.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert run.name in done.stdout
    assert "venture" in done.stdout
    assert "deeper/other" in done.stdout
    assert "JSON" in done.stdout.replace("\n", " ")


def test_tensorboard_has_the_log(tmp_path: Path) -> None:
    path = tmp_path / "run"
    for frames in (2_000, 4_000):  # and goes on when the run does
        done = phieb("train", *options(frames=frames), "--tensorboard", "--out", path)
        assert done.returncode == 0, done.stderr
    events: Any = EventAccumulator(str(path / "tensorboard"))
    events.Reload()
    episodes = Run(path).episodes()
    assert len(episodes) == 2
    for name in ("score", "bonus", "observed"):
        found = [(event.step, event.value) for event in events.Scalars(name)]
        assert found == [(e["frames"], pytest.approx(e[name], rel=1e-6)) for e in episodes]
