"""What was changed since it was written is not believed, by any command that shows it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from phieb.evaluation.evaluate import evaluate
from phieb.evaluation.record import read_evaluation
from phieb.reports.groups import read_runs
from phieb.training import Run, RunError, resume
from phieb.training.checkpoint import digest_of
from tests.faults.attack import run_command
from tests.faults.support import FRAMES, Ears, assert_identical, newest

SHOWING = ("show", "runs", "report")


@pytest.fixture
def evaluated(copied: Path) -> Path:
    evaluate(Run(copied), 2, workers=1)
    return copied


def change_evaluation(run: Path, change: Callable[[dict[str, Any]], object], known: bool) -> None:
    """As somebody would who knows of the digest, or does not."""
    file = run / "evaluation.json"
    found = json.loads(file.read_text())
    change(found)
    if known:
        found["digest"] = digest_of(found)
    file.write_text(json.dumps(found))


def assert_said(run: Path, *says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command says which file is wrong and why; a report of more runs leaves this one out."""
    for command in SHOWING:
        code, out, err = run_command(command, run, capsys)
        assert code == (0 if command == "runs" else 1)
        said = "".join((out + err).replace("│", "").split())
        for text in says:
            assert "".join(text.split()) in said, (command, out, err)


def test_a_score_in_the_log(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = copied / "episodes.jsonl"
    before = file.read_bytes()
    file.write_bytes(before.replace(b'"score": 0.0', b'"score": 9.0', 1))
    assert file.read_bytes() != before
    assert_said(copied, "episodes.jsonl: is not as checkpoint", capsys=capsys)
    with pytest.raises(RunError, match="is not as checkpoint|all 2 checkpoints are damaged"):
        Run(copied).episodes()


def test_lines_that_are_gone(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = copied / "episodes.jsonl"
    file.write_bytes(file.read_bytes().split(b"\n")[0] + b"\n")
    assert_said(
        copied, "episodes.jsonl: is shorter than when the checkpoint was saved", capsys=capsys
    )


def test_lines_after_the_checkpoint_are_shown(copied: Path, reference: Path) -> None:
    """A run that was killed has some; they are no damage."""
    resume(copied, frames=2 * FRAMES)
    shutil.rmtree(newest(copied))
    shutil.rmtree(newest(copied))
    shutil.copytree(newest(reference), copied / "checkpoints" / newest(reference).name)
    shutil.copy(reference / "episodes.jsonl", copied)
    with (copied / "episodes.jsonl").open("ab") as log:
        line = json.dumps({**Run(reference).episodes()[-1], "episode": 9})
        log.write(f"{line}\n{{".encode())
    assert len(Run(copied).episodes()) == len(Run(reference).episodes()) + 1


def test_a_checkpoint_that_is_damaged_knows_nothing_of_the_log(
    copied: Path, reference: Path
) -> None:
    """A run that goes back to the one before has a shorter log for a while."""
    (newest(copied) / "world.safetensors").write_bytes(b"")
    older = sorted((copied / "checkpoints").iterdir())[0]
    known = json.loads((older / "manifest.json").read_text())["log"]["bytes"]
    log = (copied / "episodes.jsonl").read_bytes()
    (copied / "episodes.jsonl").write_bytes(log[:known])
    assert len(Run(copied).episodes()) == log[:known].count(b"\n")
    resume(copied, Ears())
    assert_identical(copied, reference)


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], bool, str]] = {
    "a mean": (lambda e: e["behaviour"].update(mean=9e9), False, "not what was written"),
    "a mean with its digest": (
        lambda e: e["behaviour"].update(mean=9e9),
        True,
        "behaviour: the mean or the interval is not that of the scores",
    ),
    "a mean without a digest": (
        lambda e: (e["behaviour"].update(mean=9e9), e.pop("digest")),
        False,
        "behaviour: the mean or the interval is not that of the scores",
    ),
    "another checkpoint": (
        lambda e: e["checkpoint"].update(learner="0" * 64),
        True,
        "is of another checkpoint",
    ),
    "other frames": (lambda e: e.update(frames=1), True, "is of another checkpoint than it says"),
}


@pytest.mark.parametrize("case", list(CHANGES))
def test_an_evaluation(case: str, evaluated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, known, says = CHANGES[case]
    assert read_evaluation(Run(evaluated)) is not None
    change_evaluation(evaluated, change, known)
    assert_said(evaluated, "evaluation.json: " + says, capsys=capsys)


def test_a_report_of_several_says_what_is_left_out(evaluated: Path, reference: Path) -> None:
    shutil.copytree(reference, evaluated.parent / "sound")
    change_evaluation(evaluated, *CHANGES["a mean"][:2])
    study = read_runs(evaluated.parent)
    assert [result.name for result in study.results()] == ["sound"]
    assert study.left_out == [f"{evaluated / 'evaluation.json'}: not what was written"]


def test_one_of_version_0_5_0_has_no_digest(
    evaluated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_evaluation(evaluated, lambda e: e.pop("digest"), known=False)
    assert read_evaluation(Run(evaluated)) is not None
    assert run_command("show", evaluated, capsys)[0] == 0
