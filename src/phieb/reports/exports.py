"""Curves and scores of runs as tables for other programs: pandas, rliable, R."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phieb.files import writing
from phieb.files.errors import RunError
from phieb.reports.curve_files import VALUES, thinned
from phieb.reports.curves import group_curves
from phieb.reports.groups import GroupedRuns, Result
from phieb.reports.ledger import label_of
from phieb.reports.tables import write_csv

CURVES = ("game", "agent", "seed", "frames", *VALUES, "run")

Cells = dict[str, Any]


def curve_rows(runs: GroupedRuns) -> list[Cells]:
    """A row for each point of each run's curves, at round numbers of frames and at its end."""
    return [
        {
            "game": group.game,
            "agent": group.label,
            "seed": int(trial.row["seed"]),
            "frames": int(frames),
            **{what: _known(trial.values[what][place]) for what in VALUES},
            "run": trial.name,
        }
        for group in runs.groups
        for trial in map(thinned, group_curves(group).trials)
        for place, frames in enumerate(trial.frames)
    ]


def write_curves(rows: Sequence[Cells], path: Path) -> None:
    """Write rows of curves, as the ending of the path says: .csv or .parquet."""
    if path.suffix.lower() == ".parquet":
        import pyarrow
        from pyarrow import parquet

        file = io.BytesIO()
        parquet.write_table(pyarrow.Table.from_pylist(list(rows)), file)
        writing.write(path, file.getvalue())
    else:
        write_csv(rows, CURVES, path)


def score_rows(runs: GroupedRuns) -> tuple[list[Cells], str]:
    """A row for each agent and seed, with a column for each game; and what the scores are.

    They are evaluation scores if all runs were evaluated, else training scores.

    Raises:
        RunError: there are two scores of an agent with one seed in a game.
    """
    results = runs.results()
    kind = "evaluation" if all(one.row["evaluation_mean"] for one in results) else "training"
    games = list(runs.games())
    found = dict[tuple[str, int], Cells]()
    for one in results:
        agent, seed, game = label_of(one.row), one.config.seed, one.config.game
        row = found.setdefault((agent, seed), {"agent": agent, "seed": seed} | dict.fromkeys(games))
        if row[game] is not None:
            said = f"two runs of {agent} in {game} with seed {seed}"
            raise RunError(f"{runs.folder}: {said}; export them from folders of their own")
        row[game] = _score(one, kind)
    return [found[key] for key in sorted(found)], kind


def write_scores(rows: Sequence[Cells], path: Path) -> None:
    """Write rows of scores."""
    write_csv(rows, list(rows[0]), path)


def _score(one: Result, kind: str) -> float:
    return float(one.row["evaluation_mean" if kind == "evaluation" else "score"])


def _known(value: float) -> float | None:
    """A number with six digits; None where it is not known."""
    return None if np.isnan(value) else float(f"{value:.6g}")
