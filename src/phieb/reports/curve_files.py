"""results/curves.csv, rooms.csv and memory.csv: subsampled learning curves of every trial.

Each row is a point and names its trial in the columns of the ledger. Points lie at round numbers of
frames, so that trials can be compared with each other and with the paper's Figure 1; the last point
is the end of the trial.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

import numpy as np

from phieb.reports.curves import POINTS, GroupCurves, TrialCurves, readings
from phieb.reports.ledger import TRIAL, Trial, bonus_of, config_of, label_of, trial_of

VALUES = ("score", "bonus", "pseudocount", "observed", "rooms", "frames_per_second")


class CurvePoint(Trial):
    """A point of a trial's curves; values may be empty."""

    frames: str
    score: str
    bonus: str
    pseudocount: str
    observed: str
    rooms: str
    frames_per_second: str


class RoomVisits(Trial):
    """The number of a trial's decisions in a room."""

    frames: str
    room: str
    decisions: str


class MemorySample(Trial):
    """The resident memory of a trial's process."""

    frames: str
    megabytes: str


CURVES = tuple(CurvePoint.__annotations__)
ROOMS = tuple(RoomVisits.__annotations__)
MEMORY = tuple(MemorySample.__annotations__)


def round_step(frames: int) -> int:
    """The smallest of 1, 2, 5, 10, … that gives at most `POINTS` steps.

    Example:
        >>> round_step(10_000_000), round_step(10_000_004), round_step(150)
        (50000, 100000, 1)
    """
    steps = (digit * int(10**power) for power in range(18) for digit in (1, 2, 5))
    return next(step for step in steps if -(-frames // step) <= POINTS)


def thinned(trial: TrialCurves) -> TrialCurves:
    """Curves with at most `POINTS` points, at multiples of a round number of frames."""
    step = round_step(trial.reached)
    frames = np.append(np.arange(step, trial.reached, step), trial.reached)
    frames = frames[~np.isnan(trial.at("score", frames))]
    values = {what: trial.at(what, frames) for what in VALUES}
    return TrialCurves(trial.row, frames, values, trial.visits, trial.name)


def curve_rows(trial: TrialCurves) -> list[CurvePoint]:
    """A row for each point."""
    found: list[Any] = []
    for place, frames in enumerate(trial.frames):
        values = {what: _number(trial.values[what][place]) for what in VALUES}
        found.append({**_which(trial), "frames": str(frames), **values})
    return found


def room_rows(trial: TrialCurves) -> list[RoomVisits]:
    """A row for each room, with the number of decisions in it."""
    frames = str(trial.reached)
    return [
        {**_which(trial), "frames": frames, "room": str(room), "decisions": str(decisions)}
        for room, decisions in sorted(trial.visits.items())
    ]


def groups_of(curves: Iterable[CurvePoint], rooms: Iterable[RoomVisits]) -> list[GroupCurves]:
    """Trials grouped by game and label."""
    visits = dict[tuple[str, ...], dict[int, int]]()
    for row in rooms:
        visits.setdefault(trial_of(row), {})[int(row["room"])] = int(row["decisions"])
    trials = dict[tuple[str, str], list[TrialCurves]]()
    for which, points in groupby(curves, trial_of):
        trial = _trial(list(points), visits.get(which, {}))
        trials.setdefault((trial.row["game"], label_of(trial.row)), []).append(trial)
    return [_group(label, mine) for (_, label), mine in trials.items()]


def _trial(points: list[Any], visits: Mapping[int, int]) -> TrialCurves:
    frames = np.array([int(point["frames"]) for point in points], np.int64)
    values = {what: np.array([float(p[what] or "nan") for p in points]) for what in VALUES}
    return TrialCurves(points[0], frames, values, visits)


def _group(label: str, trials: list[TrialCurves]) -> GroupCurves:
    """A group; readings and frame skip are known only where the settings are those of a preset."""
    row = trials[0].row
    config = config_of(row)
    if config is None:
        return GroupCurves(row["game"], label, bonus_of(row), trials, [], None)
    beside = readings(config.game, config.bonus, config.beta, config.per_feature)
    return GroupCurves(config.game, label, config.bonus, trials, beside, config.frame_skip)


def _which(trial: TrialCurves) -> Trial:
    row: Any = trial.row
    which: Trial = {column: row[column] for column in TRIAL}  # type: ignore[assignment]
    return which


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.6g}"
