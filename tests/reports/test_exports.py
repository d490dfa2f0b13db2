"""Curves and scores for other programs."""

import csv
from pathlib import Path

import numpy as np
import pytest

from phieb.reports.exports import CURVES, curve_rows, score_rows, write_curves, write_scores
from phieb.reports.groups import read_runs
from phieb.training import RunError
from tests.reports.support import write_run


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as opened:
        return list(csv.DictReader(opened))


def test_a_row_is_a_point_of_a_curve(tmp_path: Path) -> None:
    scores = [float(k) for k in range(150)]
    write_run(tmp_path / "runs" / "one", scores, seed=1, length=1_000)
    write_run(tmp_path / "runs" / "two", [7.0], seed=2, length=1_000, bonus="none")
    rows = curve_rows(read_runs(tmp_path / "runs"))
    write_curves(rows, tmp_path / "curves.csv")
    found = read(tmp_path / "curves.csv")
    assert tuple(found[0]) == CURVES
    mine = [row for row in found if row["agent"] == "Sarsa-φ-EB"]
    assert {row["run"] for row in mine} == {"one"}
    for row in mine:
        assert int(row["frames"]) % 1_000 == 0
        over = scores[: int(row["frames"]) // 1_000]
        assert float(row["score"]) == pytest.approx(np.mean(over[-100:]), rel=1e-5)
    assert int(mine[-1]["frames"]) == 150_000
    (other,) = [row for row in found if row["agent"] == "Sarsa-ε"]
    assert (other["seed"], other["score"], other["rooms"]) == ("2", "7.0", "")


def test_parquet_has_the_same_with_types(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_run(tmp_path / "runs" / "one", [1.0, 2.5], seed=3)
    rows = curve_rows(read_runs(tmp_path / "runs"))
    write_curves(rows, tmp_path / "curves.parquet")
    found = parquet.read_table(tmp_path / "curves.parquet").to_pylist()
    assert found == rows
    assert found[-1]["seed"] == 3
    assert found[-1]["score"] == 1.75
    assert found[-1]["rooms"] is None


def test_scores_are_a_matrix_of_seeds_and_games(tmp_path: Path) -> None:
    for game, base in (("venture", 100.0), ("freeway", 10.0)):
        for seed in (1, 2):
            write_run(tmp_path / f"{game}-{seed}", [base * seed], game=game, seed=seed)
    write_run(tmp_path / "e", [3.0], game="freeway", seed=1, bonus="none")
    rows, kind = score_rows(read_runs(tmp_path))
    assert kind == "training"
    assert [list(row.values()) for row in rows] == [
        ["Sarsa-ε", 1, None, 3.0],
        ["Sarsa-φ-EB", 1, 100.0, 10.0],
        ["Sarsa-φ-EB", 2, 200.0, 20.0],
    ]
    write_scores(rows, tmp_path / "scores.csv")
    assert read(tmp_path / "scores.csv")[0] == {
        "agent": "Sarsa-ε", "seed": "1", "venture": "", "freeway": "3.0",
    }  # fmt: skip


def test_scores_are_those_of_evaluation_if_all_runs_have_one(tmp_path: Path) -> None:
    write_run(tmp_path / "a", [1.0], seed=1, evaluated=[4.0, 8.0])
    assert score_rows(read_runs(tmp_path)) == ([{"agent": "Sarsa-φ-EB", "seed": 1, "venture": 6.0}],
                                               "evaluation")  # fmt: skip
    write_run(tmp_path / "b", [1.0], seed=2)
    rows, kind = score_rows(read_runs(tmp_path))
    assert kind == "training"
    assert [row["venture"] for row in rows] == [1.0, 1.0]


def test_two_scores_for_one_cell_are_refused(tmp_path: Path) -> None:
    write_run(tmp_path / "a", [1.0], seed=1)
    write_run(tmp_path / "b", [2.0], seed=1, kappa=0.5)
    runs = read_runs(tmp_path, mix=True)
    if len({group.label for group in runs.groups}) == 1:
        with pytest.raises(RunError, match="two runs of Sarsa-φ-EB in venture with seed 1"):
            score_rows(runs)
    else:
        rows, _ = score_rows(runs)
        assert len(rows) == 2
