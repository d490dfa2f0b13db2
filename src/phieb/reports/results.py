"""The committed results: what came of every trial, also of those whose folders are lost.

results/ledger.csv has a row a trial, results/curves.csv its learning curves, results/rooms.csv its
decisions in each room. The trials of a folder of runs are merged into them: one that is not there
is added, one that is there with fewer frames is replaced. A trial with as many frames is replaced
if it has been evaluated since; a shorter one changes nothing.

Rows of earlier versions and of other settings stay, with a label that says so. The README shows
(`shown`) the trials of today's default, and for an agent without any in a game all others it has
there; docs/results.md shows all.
"""

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
    ROOMS,
    CurvePoint,
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
        """Learning curves, of the trials that have any."""
        return groups_of(self.curves, self.rooms)

    def shown(self) -> "Results":
        """What the README shows."""
        return Results(shown(self.ledger), shown(self.curves), shown(self.rooms))

    def with_runs(self, study: GroupedRuns, least_frames: int = MILLION) -> "Results":
        """Merged with the runs of a folder that are long enough to be reported."""
        reported = [one for one in study.results() if is_reported(one.row, least_frames)]
        trials = [thinned(trial_curves(result)) for result in reported]
        return Results(
            merged(self.ledger, [result.row for result in reported]),
            merged(self.curves, [row for trial in trials for row in curve_rows(trial)]),
            merged(self.rooms, [row for trial in trials for row in room_rows(trial)]),
        )


def is_reported(row: Row, least_frames: int = MILLION) -> bool:
    """Whether a run counts: one that is long enough, and not with a seed of the race."""
    return int(row["frames"]) >= least_frames and int(row["seed"]) < FIRST_SEED


def read(folder: Path) -> Results:
    """The results in a folder; curves and rooms are empty where there are none."""
    return Results(
        ledger.read(folder / "ledger.csv"),
        _read(folder / "curves.csv"),
        _read(folder / "rooms.csv"),
    )


def write(results: Results, folder: Path) -> None:
    """As `read` reads them."""
    ledger.write(results.ledger, folder / "ledger.csv")
    write_csv(results.curves, CURVES, folder / "curves.csv")
    write_csv(results.rooms, ROOMS, folder / "rooms.csv")


def _read(path: Path) -> Any:
    return read_csv(path) if path.exists() else []


def merged(kept: Iterable[T], found: Iterable[T]) -> list[T]:
    """Of each trial the rows of the further one, all in one order."""
    trials = _by_trial(kept)
    for trial, rows in _by_trial(found).items():
        if trial not in trials or _far(rows) > _far(trials[trial]):
            trials[trial] = rows
    return [row for rows in sorted(trials.values(), key=_order) for row in rows]


def shown(rows: Sequence[T]) -> list[T]:
    """Of each agent in each game the trials of today's default; all others while it has none."""
    with_default = {(row["game"], row["agent"]) for row in rows if is_default(row)}
    return [r for r in rows if is_default(r) or (r["game"], r["agent"]) not in with_default]


def _by_trial(rows: Iterable[T]) -> dict[tuple[str, ...], list[T]]:
    found = dict[tuple[str, ...], list[T]]()
    for row in rows:
        found.setdefault(trial_of(row), []).append(row)
    return found


def _far(rows: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Frames; then, in the ledger, those of its evaluation, and how many episodes that had."""
    names = ("frames", "evaluation_frames", "evaluation_episodes")
    return tuple(int(rows[-1].get(name) or 0) for name in names)


def _order(rows: Sequence[Trial]) -> tuple[Any, ...]:
    """As the paper has them: its games first, ε after all bonuses; the default before others."""
    row = rows[0]
    return (
        GAMES.index(row["game"]) if row["game"] in GAMES else len(GAMES),
        row["game"],
        [*BONUSES, bonus_of(row)].index(bonus_of(row)),
        not is_current(row),
        row["version"] if not is_current(row) else "",
        tuple(PRESETS).index(row["preset"]) if row["preset"] in PRESETS else len(PRESETS),
        not has_usual_beta(row),
        float(row["beta"] or 0),
        row["settings"],
        int(row["seed"]),
    )
