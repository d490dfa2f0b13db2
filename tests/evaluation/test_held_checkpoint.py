"""An evaluation is of one checkpoint from start to end: named, held, verified, written down."""

import json
import os
import resource
import shutil
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from phieb.evaluation import evaluate
from phieb.evaluation import held_checkpoint as held
from phieb.evaluation.frozen import saved
from phieb.evaluation.held_checkpoint import Held
from phieb.evaluation.record import read_evaluation
from phieb.training import Run, RunError, checkpoint, train
from tests.faults.support import (
    Started,
    assert_clean_error,
    config,
    contents,
    newest,
    phieb,
)

FRAMES = [3_050, 4_000]  # of the checkpoints there are
GAME = "boxing"  # of any game, the one where a few hundred frames of training change the score


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evaluate") / "run"
    train(config(GAME, frames=FRAMES[-1], max_frames=600, per_feature=False), path)
    assert sorted(map(int, checkpoint.names(path / "checkpoints"))) == FRAMES
    return path


@pytest.fixture
def run(trained: Path, tmp_path: Path) -> Path:
    return shutil.copytree(trained, tmp_path / "run")


def manifest(run: Path, frames: int) -> dict[str, object]:
    """A checkpoint, as evaluation.json should name it."""
    name = f"{frames:012d}"
    found = json.loads((run / "checkpoints" / name / "manifest.json").read_text())
    learner = found["files"]["learner.safetensors"]["sha256"]
    return {"name": name, "digest": found["digest"], "learner": learner}


def test_the_one_that_is_named_is_evaluated(run: Path) -> None:
    """As if there were no other."""
    both = {}
    for frames in FRAMES:
        both[frames] = evaluate.evaluate(Run(run), 2, checkpoint=frames, workers=1)
        assert both[frames]["frames"] == frames
        assert both[frames]["checkpoint"] == manifest(run, frames)
    assert evaluate.evaluate(Run(run), 2, workers=1) == both[FRAMES[-1]]
    assert both[FRAMES[0]]["behaviour"]["scores"] != both[FRAMES[1]]["behaviour"]["scores"]
    done = phieb("evaluate", run, "--episodes", 2, "--checkpoint", "3.05k", "--workers", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert "after 3,050 frames" in done.stdout
    assert read_evaluation(Run(run)) == both[FRAMES[0]]
    shutil.rmtree(newest(run))
    assert evaluate.evaluate(Run(run), 2, workers=1) == both[FRAMES[0]]


def test_play_takes_a_name_too(run: Path, tmp_path: Path) -> None:
    films = []
    for number, given in enumerate([["--checkpoint", "3.05k"], [], []]):
        if number == 2:
            shutil.rmtree(newest(run))
        films.append(tmp_path / f"{number}.mp4")
        done = phieb("play", run, "--out", films[-1], *given)
        assert (done.returncode, done.stderr) == (0, "")
    named, latest, alone = (film.read_bytes() for film in films)
    assert named == alone != latest


@pytest.mark.parametrize("name", ["evaluate", "play"])
def test_one_that_is_not_there(name: str, run: Path, tmp_path: Path) -> None:
    before, out = contents(run), tmp_path / "play.mp4"
    given = [name, run, *(["--out", out] if name == "play" else []), "--checkpoint"]
    done = phieb(*given, "3500")
    assert_clean_error(done, 1, run, "no checkpoint at frame 3500; there are 3050, 4000")
    done = phieb(*given, "soon")
    assert_clean_error(done, 2, "--checkpoint must be a whole number such as 300k or 10M")
    assert contents(run) == before
    assert not out.exists()


def test_none_at_all(tmp_path: Path) -> None:
    Run(tmp_path / "run").create(config())
    with pytest.raises(RunError, match="no checkpoint yet"):
        evaluate.evaluate(Run(tmp_path / "run"), 1, checkpoint=1_000)


def test_one_that_is_damaged(run: Path) -> None:
    """What is named is not replaced by another; only the newest is, with a warning."""
    victim = newest(run) / "learner.safetensors"
    victim.write_bytes(victim.read_bytes()[:-1] + b"?")
    before, said = contents(run), list[str]()
    done = phieb("evaluate", run, "--episodes", 1, "--checkpoint", "4k")
    assert_clean_error(done, 1, f"damaged checkpoint: {victim}: not what was written")
    assert contents(run) == before
    found = evaluate.evaluate(Run(run), 1, workers=1, warn=said.append)
    assert found["frames"] == FRAMES[0]
    assert said == [f"damaged checkpoint: {victim}: not what was written"]


def test_one_under_the_name_of_another(run: Path) -> None:
    newest(run).rename(run / "checkpoints" / f"{9_000:012d}")
    with pytest.raises(RunError, match="damaged checkpoint: .*: is of frame 4000"):
        evaluate.evaluate(Run(run), 1, checkpoint=9_000)
    assert not Run(run).evaluation_file.exists()


def after_holding(monkeypatch: pytest.MonkeyPatch, change: Callable[[Held], Held]) -> None:
    """Something happens when the checkpoint has been read and no process is started yet."""

    def changed(*given: object) -> object:
        settings, found = saved(*given)  # type: ignore[arg-type]
        return settings, change(found)

    monkeypatch.setattr(evaluate, "saved", changed)


@pytest.mark.parametrize("workers", [1, 2])
def test_all_checkpoints_are_deleted_meanwhile(
    workers: int, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = evaluate.evaluate(Run(run), 2, workers=1)

    def delete(found: Held) -> Held:
        shutil.rmtree(run / "checkpoints")
        return found

    after_holding(monkeypatch, delete)
    assert evaluate.evaluate(Run(run), 2, workers=workers) == expected


@pytest.mark.parametrize("what", ["bytes", "none", "manifest"])
def test_a_process_that_is_given_another_checkpoint(
    what: str, run: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It says so in one line, and nothing is written."""
    other, before = held.hold(Run(run), FRAMES[0], print), contents(run)
    changes: dict[str, Callable[[Held], Held]] = {
        "bytes": lambda found: found._replace(data=other.data),
        "none": lambda found: found._replace(data=b""),
        "manifest": lambda found: other._replace(
            facts={**other.facts, "digest": found.facts["digest"]}
        ),
    }
    after_holding(monkeypatch, changes[what])
    with pytest.raises(RunError, match="a process that evaluates was given another checkpoint"):
        evaluate.evaluate(Run(run), 2, workers=2)
    assert contents(run) == before
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_behind(
    number: int, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it ends: neither in the run nor among temporary files."""
    temporary, before = tmp_path / "temporary", contents(run)
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with Started("evaluate", run, "--episodes", 2_000, "--workers", 2) as evaluation:
        children = Path(f"/proc/{evaluation.pid}/task/{evaluation.pid}/children")
        evaluation.wait_for(lambda: len(children.read_text().split()) >= 3)  # and a tracker
        os.killpg(evaluation.pid, number)
        evaluation.end()
    assert contents(run) == before
    assert list(temporary.iterdir()) == []


def test_no_room_for_a_copy(run: Path) -> None:
    """A limit on the size of files stands in for a disk that is full."""
    before = contents(run)
    done = phieb(
        "evaluate",
        run,
        "--workers",
        2,
        before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096)),
    )
    assert_clean_error(done, 1, tempfile.gettempdir(), "File too large")
    assert contents(run) == before
