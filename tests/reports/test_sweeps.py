"""Scores against β, from runs with known scores."""

import math
from pathlib import Path

import pytest

from phieb.reports.curves import group_curves
from phieb.reports.groups import read_runs
from phieb.reports.report import write_report
from phieb.reports.sweeps import Sweep, sweeps
from tests.reports.support import write_run


def found_in(folder: Path) -> list[Sweep]:
    return sweeps([group_curves(group) for group in read_runs(folder).groups])


def write_sweep(folder: Path) -> None:
    for beta, seed, score in ((0.3, 1, 5.0), (0.1, 1, 2.0), (0.1, 2, 4.0)):
        write_run(folder / f"{beta}-{seed}", [score] * 3, beta=beta, seed=seed)
    write_run(folder / "longer", [7.0] * 4, beta=0.3, seed=2)
    write_run(folder / "without", [1.0] * 3, bonus="none")


def test_every_beta_has_the_scores_of_its_trials_after_frames_that_all_have(tmp_path: Path) -> None:
    write_sweep(tmp_path)
    (one,) = found_in(tmp_path)
    assert one == Sweep("venture", "Sarsa-φ-EB", "3,000 frames", [(0.1, [2, 4]), (0.3, [5, 7])])
    assert one.places == pytest.approx([math.log(0.1), math.log(0.3)])


def test_a_beta_of_zero_has_a_place(tmp_path: Path) -> None:
    assert Sweep("venture", "", "", [(0.0, [1.0]), (0.1, [2.0]), (10.0, [])]).places == [0, 1, 2]


def test_a_sweep_has_a_figure_and_other_runs_have_none(tmp_path: Path) -> None:
    write_sweep(tmp_path)
    written = write_report(read_runs(tmp_path), tmp_path / "report", lambda game: None)
    figures = [file.name for file in written if file.stem == "score-against-beta"]
    assert figures == [f"score-against-beta.{ending}" for ending in ("png", "svg", "pdf")]
    for run in tmp_path.glob("0.3-1"), tmp_path.glob("longer"):
        for file in next(run).iterdir():
            file.unlink()
    assert found_in(tmp_path) == []
