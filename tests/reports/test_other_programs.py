"""Curves of other programs in a report, as their files are."""

import csv
import json
import random
from pathlib import Path

import numpy as np
import pytest

from phieb.reports.groups import read_runs
from phieb.reports.other_programs import read_other
from phieb.reports.report import tables_of, write_report
from phieb.training import RunError
from phieb.worlds.still import still
from tests.faults.support import assert_clean_error, phieb
from tests.faults.test_loaders import mutations
from tests.reports.support import write_run

GAMES = ["venture", "freeway"]


def table(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def monitor(
    path: Path,
    episodes: list[tuple[float, int, float]],
    *,
    env_id: str = "VentureNoFrameskip-v4",
    began: float = 1e9,
) -> Path:
    """A file as Stable-Baselines3's Monitor writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"#{json.dumps({'t_start': began, 'env_id': env_id})}", "r,l,t"]
    lines += [f"{score},{length},{time}" for score, length, time in episodes]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_table_is_a_group_for_each_game_and_a_trial_for_each_seed(tmp_path: Path) -> None:
    file = table(
        tmp_path / "dqn.csv",
        "seed,game,frames,score,loss\n1,ALE/Venture-v5,2000,20,x\n1,ALE/Venture-v5,1000,10,x\n"
        "2,venture,1000,,x\n2,Venture,2000,4.5,x\n1,freeway,1e3,-1,x\n",
    )
    venture, freeway = sorted(read_other("DQN", file, GAMES), key=lambda one: one.game)[::-1]
    assert (venture.game, venture.label) == ("venture", "DQN")
    one, two = venture.trials
    assert (one.frames.tolist(), one.values["score"].tolist()) == ([1000, 2000], [10.0, 20.0])
    assert (two.frames.tolist(), two.values["score"].tolist()) == ([2000], [4.5])
    assert freeway.trials[0].known_at(1000) == -1.0


def test_the_only_game_of_a_report_is_that_of_a_table_without_games(tmp_path: Path) -> None:
    file = table(tmp_path / "dqn.csv", "frames,score\n10,1\n")
    (group,) = read_other("DQN", file, ["venture"])
    assert group.game == "venture"
    with pytest.raises(RunError, match="say in a column game which of venture, freeway"):
        read_other("DQN", file, GAMES)


def test_curves_of_other_games_are_left_out(tmp_path: Path) -> None:
    text = "game,frames,score\nbreak_out,5,1\nventure,10,1\n<b>os:system,5,1\n"
    file, told = table(tmp_path / "dqn.csv", text), list[str]()
    (group,) = read_other("DQN", file, GAMES, told.append)
    assert group.game == "venture"
    assert sorted(told) == [
        "DQN in <b>os:system: there is no run of this game",
        "DQN in breakout: there is no run of this game",
    ]
    with pytest.raises(RunError, match="no curve of freeway or qbert"):
        read_other("DQN", file, ["freeway", "qbert"], told.append)


@pytest.mark.parametrize(("env_id", "skip"), [("VentureNoFrameskip-v4", 1), ("ALE/Venture-v5", 4)])
def test_the_files_of_a_folder_are_one_seed(env_id: str, skip: int, tmp_path: Path) -> None:
    """In the order in which the episodes of all its environments ended."""
    monitor(tmp_path / "1" / "0.monitor.csv", [(0, 10, 1.0), (100, 10, 9.0)], env_id=env_id)
    monitor(tmp_path / "1" / "1.monitor.csv", [(50, 30, 2.0)], env_id=env_id, began=1e9 + 3)
    monitor(tmp_path / "2" / "monitor.csv", [(7, 5, 1.0)], env_id=env_id)
    (group,) = read_other("PPO", tmp_path, GAMES)
    one, two = group.trials
    assert one.frames.tolist() == [10 * skip, 40 * skip, 50 * skip]
    assert one.values["score"].tolist() == [0.0, 25.0, 50.0]
    assert two.frames.tolist() == [5 * skip]
    (same,) = read_other("PPO", tmp_path / "2", GAMES)
    (file,) = read_other("PPO", tmp_path / "2" / "monitor.csv", GAMES)
    for (trial,) in (same.trials, file.trials):
        assert trial.values["score"].tolist() == [7.0]


def test_scores_of_monitors_are_means_of_the_last_hundred(tmp_path: Path) -> None:
    scores = np.random.default_rng(0).integers(0, 90, 150).astype(float)
    episodes = [(float(score), 4, float(k)) for k, score in enumerate(scores)]
    (group,) = read_other("PPO", monitor(tmp_path / "monitor.csv", episodes), GAMES)
    found = group.trials[0].values["score"]
    assert found[-1] == pytest.approx(scores[-100:].mean())
    assert found[9] == pytest.approx(scores[:10].mean())


def test_an_environment_of_gymnasium_has_steps(tmp_path: Path) -> None:
    file = monitor(tmp_path / "monitor.csv", [(1, 10, 1.0)], env_id="CartPole-v1")
    (group,) = read_other("PPO", file, ["CartPole-v1"])
    assert group.trials[0].reached == 10
    file = monitor(tmp_path / "monitor.csv", [(1, 10, 1.0)], env_id="None")  # of a VecMonitor
    (group,) = read_other("PPO", file, ["CartPole-v1"])
    assert group.game == "CartPole-v1"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no column frames; columns are none"),
        ("frame,score\n1,2\n", "has no column frames; columns are frame, score"),
        ("frames,score\n1\n", "a row has fewer columns than there are"),
        ("frames,score\n", "no curve of venture"),
        ("frames,score\n1,nan\n", "no curve of venture"),
        ("frames,score\n5,1\nx,2\n", "frames, score of point 2 must be numbers, got 'x', '2'"),
        ("frames,score\n-1,2\n", "of point 1 must be numbers"),
        ("frames,score\n1e300,2\n", "of point 1 must be numbers"),
        ("frames,score\n1,inf\n", "of point 1 must be numbers"),
        ("frames,score\n1," + "9" * 200_000, "field larger than field limit"),
    ],
)
def test_a_table_that_is_none(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=says):
        read_other("DQN", table(tmp_path / "dqn.csv", text), ["venture"])


@pytest.mark.parametrize(
    ("header", "rows", "says"),
    [
        ("r,l,t", "1,2,3", "is no monitor file of Stable-Baselines3"),
        ("#[]", "r,l,t\n1,2,3", "is no monitor file of Stable-Baselines3"),
        ("#" + "[" * 100_000, "r,l,t\n1,2,3", "is no monitor file of Stable-Baselines3"),
        ('#{"t_start": 1, "env_id": "ALE/Venture-v5"}', "r,l\n1,2", "has no column t"),
        ('#{"t_start": 1}', "r,l,t\n1,2,3", "frames of a step of its environment are not known"),
        ('#{"t_start": 1, "env_id": "Venture-v4"}', "r,l,t\n1,2,3", "of Venture-v4 are not known"),
        ('#{"t_start": 1, "env_id": "ALE/Venture-v5"}', "r,l,t\n1,1e400,3", "must be numbers"),
        ('#{"t_start": 1, "env_id": "ALE/Venture-v5"}', "r,l,t\nnan,1,3", "must be numbers"),
    ],
)
def test_a_monitor_file_that_is_none(header: str, rows: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=says):
        read_other("PPO", table(tmp_path / "monitor.csv", f"{header}\n{rows}\n"), ["venture"])


def test_a_folder_of_two_environments(tmp_path: Path) -> None:
    for number, env_id in enumerate(("ALE/Venture-v5", "ALE/Freeway-v5")):
        monitor(tmp_path / f"{number}.monitor.csv", [(1, 2, 3)], env_id=env_id)
    with pytest.raises(RunError, match="of several environments: freeway, venture"):
        read_other("PPO", tmp_path, GAMES)
    (tmp_path / "empty").mkdir()
    with pytest.raises(RunError, match="no file of Stable-Baselines3 in it"):
        read_other("PPO", tmp_path / "empty", GAMES)


def test_damaged_bytes_are_one_line(tmp_path: Path) -> None:
    """Of a table and of a monitor file."""
    rows = "".join(f"{k},{1000 * k},{k % 7}.5,venture\n" for k in range(20))
    files = [
        table(tmp_path / "dqn.csv", f"seed,frames,score,game\n{rows}"),
        monitor(tmp_path / "monitor.csv", [(1.0, 20, float(k)) for k in range(20)]),
    ]
    for file in files:
        for _, data in mutations(file.read_bytes(), random.Random(file.name), 200):
            file.write_bytes(data)
            try:
                read_other("other", file, ["venture"], lambda line: None)
            except RunError as error:
                assert "\n" not in str(error)


# ------------------------------------------------------------------------------- the report


def test_they_are_in_figures_tables_and_page(tmp_path: Path) -> None:
    for seed in (1, 2):
        write_run(tmp_path / "runs" / f"{seed}", [100.0] * 60, seed=seed, length=100_000)
    seen = [{"1": 5}, {"1": 2, "2": 1}] * 10
    write_run(tmp_path / "runs" / "m", [1.0] * 20, game="montezuma_revenge", rooms=seen)
    text = "game,seed,frames,score\n"
    text += "".join(f"venture,{s},{m}000000,{m * 10}\n" for s in (1, 2) for m in range(1, 7))
    file = table(tmp_path / "dqn.csv", text + "montezuma_revenge,1,5000,0\n")
    runs = read_runs(tmp_path / "runs")
    others = read_other("DQN </script>", file, list(runs.games()))
    (scores, figures, *_) = tables_of(runs, others=others).values()
    mine = [row for row in scores if "DQN </script>" in row]
    assert [row[:5] for row in mine] == [
        ["venture", "DQN </script>", "2", "6 M", "60.0"],
        ["montezuma_revenge", "DQN </script>", "1", "5,000", "0.0"],
    ]
    assert ["venture", "DQN </script>", "5 M", "2", "50.0", "50, 50", ""] in figures
    out = tmp_path / "report"
    page, *_ = write_report(runs, out, still, others)
    assert page.read_text().count("</script>") == page.read_text().count("<script")
    assert "DQN" in page.read_text()
    assert "DQN" not in (out / "ledger.csv").read_text()
    with (out / "scores.csv").open(newline="") as opened:
        numbers = {(row["game"], row["agent"]): row for row in csv.DictReader(opened)}
    row = numbers["venture", "DQN </script>"]
    assert (row["trials"], row["least_frames"], row["training"]) == ("2", "6000000", "60.0")
    assert row["paper"] == ""


def test_on_the_command_line(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "a", [100.0] * 60, length=10_000)
    file = table(tmp_path / "dqn.csv", "game,frames,score\nventure,600000,42\nqbert,1,1\n")
    out = tmp_path / "report"
    done = phieb("report", tmp_path / "runs", "--also", f"DQN={file}", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "DQN" in done.stdout
    assert "42.0" in done.stdout
    assert "left out: DQN in qbert: there is no run of this game" in done.stdout
    assert (out / "report.html").exists()
    for given, code, says in (
        ([f"DQN={tmp_path / 'none.csv'}"], 2, "--also must be NAME=PATH of what is there"),
        ([str(file)], 2, "--also must be NAME=PATH"),
        ([f"DQN={file}", f"DQN={file}"], 2, "--also must name each once"),
        ([f"DQN={tmp_path / 'runs' / 'a' / 'config.json'}"], 1, "has no column frames"),
    ):
        before = sorted(tmp_path.rglob("*"))
        assert_clean_error(
            phieb("report", tmp_path / "runs", "--also", *given, "--out", tmp_path / "o"),
            code,
            says,
        )
        assert sorted(tmp_path.rglob("*")) == before
