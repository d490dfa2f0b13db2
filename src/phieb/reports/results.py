"""The committed results of all trials, including those whose run folders no longer exist.

results/ledger.csv has one row for each trial, results/curves.csv its learning curves, and
results/rooms.csv its decisions in each room. `Results.with_runs` merges a folder of runs into them:
new trials are added, and a trial replaces a shorter one. With equal numbers of frames it replaces
one that has no evaluation, or an earlier or smaller one.

Rows of earlier versions and of other settings stay; their labels say so. docs/results.md shows all
trials. README shows a selection (`shown`): of each agent in each game the trials of today's default
in its newest minor version, or, while there are none, the closest to them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from phieb.experiments.paper import GAMES, MILLION
from phieb.experiments.race import FIRST_SEED
from phieb.novelty import BONUSES
from phieb.reports import ledger
from phieb.reports.curve_files import (
    CURVES,
    MEMORY,
    ROOMS,
    CurvePoint,
    MemorySample,
    RoomVisits,
    curve_rows,
    groups_of,
    room_rows,
    thinned,
)
from phieb.reports.curves import GroupCurves, trial_curves
from phieb.reports.groups import GroupedRuns
from phieb.reports.ledger import (
    Row,
    Trial,
    bonus_of,
    has_usual_beta,
    is_current,
    is_default,
    trial_of,
)
from phieb.reports.tables import read_csv, write_csv
from phieb.training.presets import PRESETS

T = TypeVar("T", bound=Trial)


@dataclass(frozen=True)
class Results:
    """Rows of the three files."""

    ledger: list[Row]
    curves: list[CurvePoint]
    rooms: list[RoomVisits]

    def groups(self) -> list[GroupCurves]:
        """The learning curves, of trials that have any."""
        return groups_of(self.curves, self.rooms)

    def shown(self) -> "Results":
        """The selection that README shows."""
        return Results(shown(self.ledger), shown(self.curves), shown(self.rooms))

    def with_runs(self, study: GroupedRuns, least_frames: int = MILLION) -> "Results":
        """Merge the runs of a folder that are reported."""
        reported = [one for one in study.results() if is_reported(one.row, least_frames)]
        trials = [thinned(trial_curves(result)) for result in reported]
        return Results(
            merged(self.ledger, [result.row for result in reported]),
            merged(self.curves, [row for trial in trials for row in curve_rows(trial)]),
            merged(self.rooms, [row for trial in trials for row in room_rows(trial)]),
        )

    def scored(self, game: str, bonus: str, frames: int) -> dict[str, bool]:
        """For each seed of the default whose curve is so long, whether it is above 0 by then."""
        mine = [one for one in self.groups() if (one.game, one.bonus) == (game, bonus)]
        trials = [trial for one in mine for trial in one.trials if is_default(trial.row)]
        return {
            trial.row["seed"]: bool((trial.values["score"][trial.frames <= frames] > 0).any())
            for trial in trials
            if trial.reached >= frames
        }


def is_reported(row: Row, least_frames: int = MILLION) -> bool:
    """Whether a run is reported: long enough, no seed of the race, and none of hard7."""
    is_long = int(row["frames"]) >= least_frames
    return is_long and int(row["seed"]) < FIRST_SEED and row["preset"] != "sticky"


def read(folder: Path) -> Results:
    """Read the three files in a folder; curves.csv and rooms.csv may be missing."""
    return Results(
        ledger.read(folder / "ledger.csv"),
        _read(folder / "curves.csv", CURVES),
        _read(folder / "rooms.csv", ROOMS),
    )


def read_memory(folder: Path) -> list[MemorySample]:
    """Read what results/memory.py has sampled; memory.csv may be missing."""
    found: list[MemorySample] = _read(folder / "memory.csv", MEMORY)
    return found


def write(results: Results, folder: Path) -> None:
    """Write the three files into a folder."""
    ledger.write(results.ledger, folder / "ledger.csv")
    write_csv(results.curves, CURVES, folder / "curves.csv")
    write_csv(results.rooms, ROOMS, folder / "rooms.csv")


def _read(path: Path, columns: Sequence[str]) -> Any:
    """The rows of a file, none if there is no file; columns that it does not have are empty."""
    rows = read_csv(path) if path.exists() else []
    return [{**dict.fromkeys(columns, ""), **row} for row in rows]


def merged(kept: Iterable[T], found: Iterable[T]) -> list[T]:
    """The rows of both; where both have a trial, those of the longer one."""
    trials = _by_trial(kept)
    for trial, rows in _by_trial(found).items():
        if trial not in trials or _progress(rows) > _progress(trials[trial]):
            trials[trial] = rows
    return [row for rows in sorted(trials.values(), key=_order) for row in rows]


def shown(rows: Sequence[T]) -> list[T]:
    """Of each agent in each game, the trials whose settings are closest to today's default."""
    ranks = [_rank(row) for row in rows]
    best = dict[tuple[str, str], tuple[Any, ...]]()
    for row, rank in zip(rows, ranks, strict=True):
        agent = row["game"], row["agent"]
        best[agent] = max(best.get(agent, rank), rank)
    return [r for r, rank in zip(rows, ranks, strict=True) if rank == best[r["game"], r["agent"]]]


def _rank(row: Trial) -> tuple[Any, ...]:
    """Larger is closer to today's default: first the default itself, then newer versions."""
    newest = tuple(int(number) for number in re.findall(r"\d+", row["version"])[:2])
    return is_default(row), newest, has_usual_beta(row), -_place(row["preset"])


def _by_trial(rows: Iterable[T]) -> dict[tuple[str, ...], list[T]]:
    found = dict[tuple[str, ...], list[T]]()
    for row in rows:
        found.setdefault(trial_of(row), []).append(row)
    return found


def _progress(rows: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Frames of training, and in the ledger frames before the evaluation and its episodes."""
    names = ("frames", "evaluation_frames", "evaluation_episodes")
    return tuple(int(rows[-1].get(name) or 0) for name in names)


def _order(rows: Sequence[Trial]) -> tuple[Any, ...]:
    """A sort key: the paper's games first, Sarsa-ε after all bonuses, the default before others."""
    row = rows[0]
    return (
        GAMES.index(row["game"]) if row["game"] in GAMES else len(GAMES),
        row["game"],
        [*BONUSES, bonus_of(row)].index(bonus_of(row)),
        not is_current(row),
        row["version"] if not is_current(row) else "",
        _place(row["preset"]),
        not has_usual_beta(row),
        float(row["beta"] or 0),
        row["settings"],
        int(row["seed"]),
    )


def _place(name: str) -> int:
    """The place of a preset among all; settings without a preset come last."""
    return tuple(PRESETS).index(name) if name in PRESETS else len(PRESETS)
