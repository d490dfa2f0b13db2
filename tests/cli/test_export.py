"""`phieb export`, and what plays its files: `phieb evaluate` and `phieb play`."""

import csv
import json
from pathlib import Path

import av
import pytest

from phieb.cli.main import main
from phieb.evaluation.policy import read_policy
from phieb.training import Run
from tests.cli.conftest import Refused
from tests.evaluation.support import lake, venture
from tests.faults.support import assert_one_line, rewrite_manifest
from tests.reports.support import write_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return venture(tmp_path_factory.mktemp("venture") / "run")


@pytest.fixture
def file(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "agent.safetensors"
    main(["export", str(run.path), str(path)])
    capsys.readouterr()
    return path


def test_a_policy_and_its_card(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "agent.safetensors"
    given = ["--precision", "byte", "--megabytes", "0.05", "--licence", "CC0-1.0"]
    main(["export", str(run.path), str(out), *given, "--episodes", "2"])
    said = capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent.md", "agent.safetensors"]
    assert out.stat().st_size <= 50_000
    facts = read_policy(out).facts
    assert facts["exported"]["episodes"] == 2
    assert facts["licence"] == "CC0-1.0"
    assert facts["kept"] < facts["observed"]
    assert f"{facts['kept']:,} of the {facts['observed']:,} observed" in said
    assert f"policy: {out} (" in said
    card = out.with_suffix(".md").read_text()
    assert "| this file | 2 |" in card
    assert "license: cc0-1.0" in card


def test_a_file_is_evaluated(
    file: Path, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = tmp_path / "numbers.json"
    given = ["--episodes", "2", "--workers", "1", "--json", str(numbers)]
    main(["evaluate", str(file), *given])
    out, err = capsys.readouterr()
    assert "behaviour: the value trained with" in out
    assert err == ""
    found = json.loads(numbers.read_text())
    assert len(found["behaviour"]["scores"]) == 2
    assert found["frames"] == run.saved_frames()


def test_a_file_is_filmed(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "film.mp4"
    main(["play", str(file), "--out", str(film)])
    assert "score " in capsys.readouterr().out
    with av.open(str(film)) as opened:
        pictures = [frame.to_ndarray(format="rgb24") for frame in opened.decode(video=0)]
    assert len(pictures) > 50
    assert pictures[0].shape == (720, 1280, 3)
    assert pictures[0].std() > 10


def test_code_that_a_file_names_is_imported_only_if_that_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_lake.py").write_text(
        "import gymnasium\ndef make():\n    return gymnasium.make('FrozenLake-v1')\n"
    )
    given = ["train", "my_lake:make", "--frames", "300", "--quiet", "--out", "run"]
    main(given)
    main(["export", "run", "agent.safetensors"])
    evaluate = ["evaluate", "agent.safetensors", "--episodes", "1", "--workers", "1"]
    for command in (evaluate, ["play", "agent.safetensors"]):
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(command)
        assert stop.value.code == 1
        assert_one_line(capsys.readouterr().err, "my_lake:make", "--imports")
    main([*evaluate, "--imports"])
    assert "my_lake:make" in capsys.readouterr().out


def test_a_damaged_file_is_one_line(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file.write_bytes(file.read_bytes()[:-9])
    before = sorted(tmp_path.iterdir())
    for command in ("evaluate", "play"):
        with pytest.raises(SystemExit) as stop:
            main([command, str(file)])
        assert stop.value.code == 1
        assert_one_line(capsys.readouterr().err, file, "declares")
    assert sorted(tmp_path.iterdir()) == before


def test_what_cannot_be_exported_is_refused(
    run: Run, assert_refused: Refused, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path, empty = str(run.path), tmp_path_factory.mktemp("empty")
    out = str(empty / "a.safetensors")
    for given, says in (
        ([path], "give FILE.safetensors for the policy of a run, --curves or --scores"),
        ([path, "a.onnx"], "FILE must end in .safetensors, got a.onnx"),
        ([path, "missing/a.safetensors"], "FILE must be a file in a folder that can be written"),
        ([str(empty), out], "RUN must be the folder of a run"),
        ([path, out, "--curves", "c.csv"], "export one of them at a time"),
        ([path, out, "--megabytes", "0"], "--megabytes must be"),
        ([path, out, "--episodes", "-1"], "--episodes must be a whole number"),
        ([path, out, "--precision", "quarter"], "precision"),
        ([path, out, "--licence", "a\nb"], "--licence must be"),
        ([path, "--curves", "c.txt"], "--curves must end in .csv or .parquet"),
        ([path, "--scores", "c.parquet"], "--scores must end in .csv"),
        ([str(empty / "no"), "--curves", "c.csv"], "RUN must be a folder of runs"),
    ):
        assert_refused(["export", *given], says)


def test_nothing_is_written_if_there_is_no_checkpoint_or_too_little_space(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for given, says in (
        (["--checkpoint", "7"], "no checkpoint at frame 7; there are"),
        (["--megabytes", "0.0001"], "a file of this policy has at least"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(["export", str(run.path), str(tmp_path / "a.safetensors"), *given])
        assert stop.value.code == 1
        assert_one_line(capsys.readouterr().err, says)
    assert list(tmp_path.iterdir()) == []


def test_curves_and_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in (1, 2):
        write_run(tmp_path / "runs" / f"v{seed}", [10.0 * seed] * 30, seed=seed, evaluated=[5.0])
    (tmp_path / "runs" / "bad").mkdir()
    (tmp_path / "runs" / "bad" / "config.json").write_text("{")
    curves, scores = tmp_path / "curves.csv", tmp_path / "scores.csv"
    main(["export", str(tmp_path / "runs"), "--curves", str(curves), "--scores", str(scores)])
    out = capsys.readouterr().out
    assert f"left out: {tmp_path / 'runs' / 'bad' / 'config.json'}: is not JSON" in out
    assert f"evaluation scores of 2 runs: {scores}" in out
    with scores.open(newline="") as opened:
        assert [row["venture"] for row in csv.DictReader(opened)] == ["5.0", "5.0"]
    with curves.open(newline="") as opened:
        assert {row["run"] for row in csv.DictReader(opened)} == {"v1", "v2"}


def test_a_run_is_exported_while_it_is_of_another_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = lake(tmp_path / "run")
    for folder in run.checkpoints.iterdir():
        rewrite_manifest(folder, lambda facts: facts["versions"].update(phieb="0.4.9"))
    main(["export", str(run.path), str(tmp_path / "a.safetensors")])
    assert "phieb is 0.4.9 there" in capsys.readouterr().out
    assert read_policy(tmp_path / "a.safetensors").facts["versions"]["phieb"] == "0.4.9"
