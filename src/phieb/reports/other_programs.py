"""Learning curves of other programs, as further agents of a report.

A table (.csv) has columns frames and score, a row for each point of a curve, and may have seed and
game. Monitor files are those of Stable-Baselines3: the files of one folder are of one seed, since
each environment of a vector has its own.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from phieb.files import reading
from phieb.files.errors import DamagedError, MissingError, RunError
from phieb.reports.curves import GroupCurves, TrialCurves, last_means
from phieb.reports.ledger import COLUMNS, OTHER_PROGRAM, Row
from phieb.reports.page import QUANTITIES
from phieb.worlds.names import find_world

MONITOR = "monitor.csv"  # what the names of Stable-Baselines3's files end in
MONITOR_COLUMNS = ("r", "l", "t")
# Frames of a step of Gymnasium's Atari environments, by the form of their ids.
_SKIPS = {r".*NoFrameskip-v\d": 1, r"ALE/.*-v5": 4}

Point = tuple[str, str, int, float]  # game, seed, frames, score


def read_other(label: str, path: Path, games: Sequence[str]) -> list[GroupCurves]:
    """The curves of an agent, a group for each game.

    Args:
        label: what the agent is called.
        path: a table, a monitor file, or a folder of monitor files or of such folders.
        games: those of the report; the only one is that of curves that do not say theirs.

    Raises:
        RunError: there are no curves, or it is not known of which game they are.
    """
    runs = _monitored(path)
    points = _of_monitors(runs) if runs else _of_table(path)
    found = dict[str, list[TrialCurves]]()
    for (game, seed), mine in groupby(sorted(points), lambda point: point[:2]):
        name = _game(path, game, games)
        found.setdefault(name, []).append(_trial(name, label, seed, [p[2:] for p in mine]))
    if not found:
        raise RunError(f"{path}: no points of a curve")
    return [GroupCurves(game, label, "", trials, [], None) for game, trials in found.items()]


def rows_of(groups: Iterable[GroupCurves]) -> list[Row]:
    """A row of the ledger for each trial, with its last score."""
    rows = list[Row]()
    for group in groups:
        for trial in group.trials:
            known: Any = {**dict.fromkeys(COLUMNS, ""), **trial.row}
            known |= {"frames": str(trial.reached)}
            rows.append(known | {"score": str(round(float(trial.values["score"][-1]), 2))})
    return rows


def _monitored(path: Path) -> dict[str, list[Path]]:
    """The monitor files of each seed, by the name of its folder."""
    if path.is_file():
        return {path.stem: [path]} if path.name.endswith(MONITOR) else {}
    folders = [path, *sorted(one for one in path.iterdir() if one.is_dir())]
    found = {folder.name: sorted(folder.glob(f"*{MONITOR}")) for folder in folders}
    return {name: files for name, files in found.items() if files}


def _of_monitors(runs: Mapping[str, Sequence[Path]]) -> list[Point]:
    """Scores of Stable-Baselines3's episodes: the means of the last hundred by then."""
    points = list[Point]()
    for seed, files in runs.items():
        episodes, games = list[tuple[float, int, float]](), set[str]()
        for file in files:
            game, skip, rows = _monitor(file)
            games.add(game)
            episodes += [(t, skip * length, score) for t, length, score in rows]
        if len(games) > 1:
            raise RunError(f"{files[0].parent}: is of several environments: {sorted(games)}")
        episodes.sort()
        frames = np.cumsum([length for _, length, _ in episodes])
        means = last_means([score for _, _, score in episodes])
        points += [(game, seed, int(f), float(m)) for f, m in zip(frames, means, strict=True)]
    return points


def _monitor(file: Path) -> tuple[str, int, list[tuple[float, int, float]]]:
    """The environment of a monitor file, frames of a step, and time, length, score of episodes."""
    header, _, table = _text(file).partition("\n")
    try:
        said = json.loads(header.removeprefix("#"))
        began, env_id = float(said["t_start"]), str(said.get("env_id") or "")
        rows = _rows(file, table, MONITOR_COLUMNS)
        episodes = [(began + float(r["t"]), int(float(r["l"])), float(r["r"])) for r in rows]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DamagedError(f"{file}: is no monitor file of Stable-Baselines3") from None
    game = _known(env_id)
    return game, _skip(file, env_id) if re.fullmatch("[a-z0-9_]+", game) else 1, episodes


def _skip(file: Path, env_id: str) -> int:
    for form, skip in _SKIPS.items():
        if re.fullmatch(form, env_id):
            return skip
    said = f"frames of a step of {env_id} are not known; make a table of frames, score, seed"
    raise RunError(f"{file}: {said}")


def _of_table(path: Path) -> list[Point]:
    """The points of a table."""
    if path.is_dir():
        raise RunError(f"{path}: no file of Stable-Baselines3 in it (*{MONITOR})")
    points = list[Point]()
    for number, row in enumerate(_rows(path, _text(path), ("frames", "score")), start=1):
        try:
            frames, score = int(float(row["frames"])), float(row["score"] or "nan")
        except (ValueError, OverflowError):
            said = f"row {number} must have numbers in frames and score"
            raise DamagedError(f"{path}: {said}, got {row['frames']!r}, {row['score']!r}") from None
        if np.isfinite(score):  # a mean may not be known at the start
            points.append((_known(row.get("game") or ""), row.get("seed") or "", frames, score))
    return points


def _rows(path: Path, text: str, columns: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a table that has these columns."""
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = [name for name in columns if name not in (reader.fieldnames or ())]
    if missing:
        have = ", ".join(reader.fieldnames or ()) or "none"
        raise DamagedError(f"{path}: has no column {missing[0]}; columns are {have}")
    rows = list(reader)
    if any(row[name] is None for row in rows for name in columns):
        raise DamagedError(f"{path}: a row has fewer columns than there are")
    return rows


def _text(path: Path) -> str:
    try:
        return reading.read(path, reading.TABLE).decode()
    except (MissingError, UnicodeDecodeError) as error:
        said = "is no text" if isinstance(error, UnicodeDecodeError) else "no such file"
        raise DamagedError(f"{path}: {said}") from None


def _known(name: str) -> str:
    """The one name of a game; one that is not known here stays as it is."""
    try:
        return find_world(name) if name else ""
    except ValueError:
        return name


def _game(path: Path, game: str, games: Sequence[str]) -> str:
    """The game of a curve."""
    if game:
        return game
    if len(games) == 1:
        return games[0]
    raise RunError(f"{path}: say in a column game which of {', '.join(games)} it is of")


def _trial(game: str, label: str, seed: str, points: Sequence[tuple[int, float]]) -> TrialCurves:
    frames = np.array([f for f, _ in points], np.int64)
    values = {what: np.full(frames.size, np.nan) for what in QUANTITIES}
    values["score"] = np.array([score for _, score in points])
    row = dict.fromkeys(("beta", "version"), "")
    row |= {"game": game, "agent": label, "preset": OTHER_PROGRAM, "settings": label, "seed": seed}
    return TrialCurves(row, frames, values, name=f"{label} {seed}".strip())  # type: ignore[arg-type]
