"""`phieb runs`, `show`, `evaluate`, `play`, `resume` and `train` on folders as users have them."""

from pathlib import Path

import pytest
from rich.console import Console

from phieb.cli.main import main
from phieb.cli.runs import Runs
from phieb.training import Run, preset, train
from tests.faults.support import assert_one_line

NAME = "montezuma_revenge-phi-martin2017-1"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("runs") / NAME
    config = preset("martin2017", "montezuma_revenge", seed=1, frames=2_000, max_frames=900)
    return train(config, folder)


def printed(folder: Path, width: int) -> list[str]:
    console = Console(width=width, markup=False, emoji=False)
    with console.capture() as captured:
        Runs(folder).run(console)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_the_table_of_runs_fits_80_columns(run: Run) -> None:
    lines = printed(run.path.parent, 80)
    assert max(map(len, lines)) <= 80
    (row,) = [line for line in lines if NAME in line]  # in one line, not folded
    assert "100%" in row
    header = next(line for line in lines if "run" in line)
    assert all(name in header for name in ("frames", "done", "score"))
    wide = printed(run.path.parent, 160)
    assert all(name in " ".join(wide) for name in ("preset", "seed", "rooms", "evaluated"))


def test_a_run_that_cannot_be_read_is_told_below_the_table(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{")
    lines = printed(tmp_path, 80)
    assert any(line.startswith("broken: ") for line in lines)
    assert "is not JSON" in "".join(lines)


@pytest.mark.parametrize("command", ["show", "evaluate", "play", "resume"])
def test_a_folder_without_a_run_is_one_line(
    command: str,
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for folder, problem in (
        ("missing", "got missing (no such folder)"),
        ("empty", "got empty (no config.json in it)"),
        (str(run.path.parent), f"for the runs under it: phieb runs {run.path.parent}"),
    ):
        with pytest.raises(SystemExit) as stop:
            main([command, folder])
        out, err = capsys.readouterr()
        assert (stop.value.code, out) == (2, "")
        assert_one_line(err, "RUN must be the folder of a run", problem)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]
    assert not list((tmp_path / "empty").iterdir())


def test_another_beta_in_the_folder_of_a_run_names_out(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["train", "montezuma_revenge", "--beta", "0.7", "--preset", "martin2017", "--seed", "1"]
    with pytest.raises(SystemExit) as stop:
        main([*given, "--max-frames", "900", "--out", str(run.path)])
    assert stop.value.code == 1
    problem = "beta is 0.05 there and 0.7 here; choose another folder with --out"
    assert_one_line(capsys.readouterr().err, problem)


def test_one_episode_has_no_interval(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    for episodes, interval in ((1, False), (2, True)):
        main(["evaluate", str(run.path), "--episodes", str(episodes), "--workers", "1"])
        out = capsys.readouterr().out
        (row,) = [line for line in out.splitlines() if "behaviour: " in line]
        assert (" to " in row) == interval
