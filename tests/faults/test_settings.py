"""Bad settings are listed, all of them; a run is not continued with others than it began with."""

import json
from pathlib import Path
from typing import Any

import pytest

from phieb.evaluation.evaluate import evaluate
from phieb.training import Run, RunError, resume, train
from tests.faults.support import (
    FRAMES,
    assert_clean_error,
    assert_identical,
    config,
    contents,
    newest,
    options,
    phieb,
    rewrite_manifest,
)


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    bad = ["--beta", "nan", "--lambda", "1.5", "--gamma", "-0.1", "--frames", "0", "--seed", "-3"]
    done = phieb("train", "ventur", *bad, "--out", "run", cwd=tmp_path)
    assert_clean_error(
        done,
        2,
        "a Gymnasium id or package.module:make_env, got 'ventur'; similar names: venture",
        "beta must be a finite number >= 0, got nan",
        "lambda must be a finite number in [0, 1], got 1.5",
        "gamma must be a finite number in [0, 1], got -0.1",
        "frames must be a whole number in [1, 1e+12], got 0",
        "seed must be a whole number in",
    )
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--beta", "-0.1"], "beta must be a finite number >= 0, got -0.1"),
        (["--beta", "much"], "--beta"),
        (["--frames", "1.5"], "--frames"),
        (["--value", "joint"], "continuing must be False"),
        (["--bonus", "greedy"], "bonus must be one of phi, "),
    ],
)
def test_one_thing_that_is_wrong(given: list[str], says: str, tmp_path: Path) -> None:
    done = phieb("train", "venture", *given, "--out", "run", cwd=tmp_path)
    assert_clean_error(done, 2, says)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", 7), ("game", None), ("bonus", "x"), ("frames", 0), ("frames", 1.5),
        ("frames", True), ("frames", "10"), ("seed", -1), ("seed", None), ("beta", float("nan")),
        ("beta", -1), ("beta", "1"), ("beta", True), ("beta", 10**400), ("kappa", 0),
        ("lambda_", 1.1), ("lambda_", -0.1), ("gamma", 1.1), ("gamma", float("inf")),
        ("epsilon", 2), ("alpha", 0), ("alpha", 1.1), ("sticky", -1), ("sticky", 2),
        ("sticky", float("nan")), ("frame_skip", 0), ("max_frames", 0), ("noops", 0),
        ("continuing", 1), ("optimistic", "no"), ("screen", None), ("features", []),
        ("checkpoint_every", 0), ("evaluate_on", {}),
    ],
)  # fmt: skip
def test_values_that_no_setting_may_have(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name.rstrip("_")):
        config(**{"game": "venture", name: value})


def test_a_folder_that_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    before = contents(tmp_path)
    with pytest.raises(RunError, match="exists and is not a run"):
        train(config(), tmp_path)
    assert contents(tmp_path) == before
    with pytest.raises(RunError, match="exists and is not a run"):
        train(config(), tmp_path / "thesis.tex")
    assert contents(tmp_path) == before


def test_train_with_other_settings_is_refused_field_by_field(begun: Path) -> None:
    before = contents(begun)
    done = phieb("train", *options(beta=0.1, seed=3, screen="blend"), "--out", begun)
    assert_clean_error(
        done,
        1,
        begun,
        "seed is 0 there and 3 here",
        "beta is 0.3 there and 0.1 here",
        "screen is 'last' there and 'blend' here",
    )
    assert "gamma" not in done.stderr
    assert contents(begun) == before


def edit_config(path: Path, **changes: Any) -> None:
    file = path / "config.json"
    facts = json.loads(file.read_text())
    facts["config"].update(changes)
    file.write_text(json.dumps(facts))


def test_a_config_that_was_edited_is_refused_field_by_field(begun: Path) -> None:
    edit_config(begun, kappa=0.02, game="qbert")
    before = contents(begun)
    done = phieb("resume", begun, "--quiet")
    assert_clean_error(
        done,
        1,
        "kappa is 0.01 there and 0.02 here",
        "game is 'venture' there and 'qbert' here",
    )
    assert contents(begun) == before


def test_an_edited_config_is_not_evaluated_either(begun: Path) -> None:
    """Scores of an agent in a game that it was not trained in are no evaluation of the run."""
    edit_config(begun, max_frames=700, features="liang2016")
    with pytest.raises(RunError, match="max_frames is 1500 there and 700 here"):
        evaluate(Run(begun), 1, workers=1)
    assert not (begun / "evaluation.json").exists()


@pytest.mark.parametrize("package", ["phieb", "ale-py", "numpy", "numba"])
def test_other_versions_are_refused(package: str, begun: Path) -> None:
    for folder in (begun / "checkpoints").iterdir():
        rewrite_manifest(folder, lambda facts: facts["versions"].update({package: "0.0.7"}))
    before = contents(begun)
    with pytest.raises(RunError, match=f"{package} is 0.0.7 there and .* here"):
        resume(begun, frames=FRAMES)
    assert contents(begun) == before


def test_a_config_of_another_version_is_refused(begun: Path) -> None:
    """As if it was edited, or copied from another run; the checkpoints are as they were."""
    file = begun / "config.json"
    facts = json.loads(file.read_text())
    facts["versions"]["numpy"] = "1.9"
    file.write_text(json.dumps(facts))
    before = contents(begun)
    done = phieb("resume", begun, "--quiet")
    assert_clean_error(done, 1, "numpy is 1.9 there and")
    assert contents(begun) == before


def test_a_version_that_is_missing_is_another(begun: Path) -> None:
    rewrite_manifest(newest(begun), lambda facts: facts["versions"].pop("numba"))
    with pytest.raises(RunError, match="numba is None there"):
        resume(begun, frames=FRAMES)


def test_a_config_that_was_edited_to_another_version_is_refused(begun: Path) -> None:
    file = begun / "config.json"
    facts = json.loads(file.read_text())
    facts["versions"]["phieb"] = "9.9.9"
    file.write_text(json.dumps(facts))
    before = contents(begun)
    done = phieb("resume", begun, "--quiet")
    assert_clean_error(done, 1, begun, "other settings: phieb is 9.9.9 there and")
    assert contents(begun) == before


def test_frames_and_how_often_to_save_may_change(begun: Path, reference: Path) -> None:
    edit_config(begun, checkpoint_every=5_000, frames=FRAMES)
    resume(begun)
    assert_identical(begun, reference)


def test_a_run_can_only_be_extended(begun: Path) -> None:
    before = contents(begun)
    with pytest.raises(RunError, match="frames already; a run can only be extended"):
        resume(begun, frames=10)
    assert contents(begun) == before
