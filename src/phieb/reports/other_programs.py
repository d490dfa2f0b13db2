"""Learning curves of other programs, as further agents of a report.

A table (.csv) has columns frames and score, a row for each point of a curve, and may have seed and
game. Monitor files are those of Stable-Baselines3: the files of one folder are of one seed, since
each environment of a vector has its own.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from phieb.files import reading
from phieb.files.errors import DamagedError, MissingError, RunError
from phieb.plain_text import visible
from phieb.reports.curves import GroupCurves, TrialCurves, last_means
from phieb.reports.ledger import COLUMNS, OTHER_PROGRAM, Row
from phieb.reports.page import QUANTITIES
from phieb.worlds.names import find_world, is_atari

MONITOR = "monitor.csv"  # what the names of Stable-Baselines3's files end in
MONITOR_COLUMNS = ("r", "l", "t")  # score, steps and seconds of an episode
COLUMNS_OF_TABLE = ("frames", "score")
LARGEST = 1e15  # of all numbers; sums of frames are exact
# Frames of a step of Gymnasium's Atari environments, by the form of their ids.
_SKIPS = {r".*NoFrameskip-v\d": 1, r".*Deterministic-v\d": 4, r"ALE/.*-v5": 4}
_OLD_ID = re.compile(r"(NoFrameskip|Deterministic)?-v[04]$")  # what comes after a game's name

Point = tuple[str, str, int, float]  # game, seed, frames, score


def read_other(
    label: str, path: Path, games: Sequence[str], left_out: Callable[[str], None] = print
) -> list[GroupCurves]:
    """The curves of an agent, a group for each game.

    Args:
        label: what the agent is called.
        path: a table, a monitor file, or a folder of monitor files or of such folders.
        games: those of the report; if there is one, it is that of curves that do not say theirs.
        left_out: told of curves of other games.

    Raises:
        RunError: there are no curves of these games.
    """
    runs = _monitored(path)
    points = _of_monitors(runs, games) if runs else _of_table(path, games)
    found = dict[str, list[TrialCurves]]()
    for (game, seed), mine in groupby(sorted(points), lambda point: point[:2]):
        found.setdefault(game, []).append(_trial(game, label, seed, [p[2:] for p in mine]))
    for game in found:
        if game not in games:
            left_out(f"{label} in {game}: there is no run of this game")
    if not any(game in games for game in found):
        raise RunError(f"{path}: no curve of {' or '.join(games)}")
    return [
        GroupCurves(game, label, "", trials, [], None)
        for game, trials in found.items()
        if game in games
    ]


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


def _of_monitors(runs: Mapping[str, Sequence[Path]], games: Sequence[str]) -> list[Point]:
    """Scores of Stable-Baselines3's episodes: the means of the last hundred by then."""
    points = list[Point]()
    for seed, files in runs.items():
        monitors = [_monitor(file, games) for file in files]
        there = sorted({one.game for one in monitors})
        if len(there) > 1:
            raise RunError(f"{files[0].parent}: is of several environments: {', '.join(there)}")
        episodes = sorted(one for monitor in monitors for one in monitor.episodes)
        frames = np.cumsum([length for _, length, _ in episodes])
        means = last_means([score for _, _, score in episodes])
        points += [(there[0], seed, int(f), float(m)) for f, m in zip(frames, means, strict=True)]
    return points


class _Monitor(NamedTuple):
    """The game of a monitor file, and the time, frames and score of each episode."""

    game: str
    episodes: list[tuple[float, int, float]]


def _monitor(file: Path, games: Sequence[str]) -> _Monitor:
    header, _, table = _text(file).partition("\n")
    try:
        said = reading.parsed(header.removeprefix("#").encode())
        began, env_id = float(said["t_start"]), str(said.get("env_id") or "")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DamagedError(f"{file}: is no monitor file of Stable-Baselines3") from None
    env_id = env_id if env_id != "None" else ""  # of a VecMonitor
    game = _game(file, env_id, games)
    skip = _skip(file, env_id) if is_atari(game) else 1
    rows = _rows(file, table, MONITOR_COLUMNS)
    episodes = [
        (began + t, skip * int(length), score)
        for score, length, t in _numbers(file, rows, MONITOR_COLUMNS)
    ]
    return _Monitor(game, episodes)


def _skip(file: Path, env_id: str) -> int:
    for form, skip in _SKIPS.items():
        if re.fullmatch(form, env_id):
            return skip
    said = f"frames of a step of {env_id or 'its environment'} are not known"
    raise RunError(f"{file}: {said}; make a table of frames, score, seed")


def _of_table(path: Path, games: Sequence[str]) -> list[Point]:
    """The points of a table; one without a score is left out, it may not be known at the start."""
    if path.is_dir():
        raise RunError(f"{path}: no file of Stable-Baselines3 in it (*{MONITOR})")
    rows = _rows(path, _text(path), COLUMNS_OF_TABLE)
    rows = [row for row in rows if row["score"].strip().lower() not in ("", "nan")]
    numbers = _numbers(path, rows, COLUMNS_OF_TABLE)
    return [
        (_game(path, row.get("game") or "", games), row.get("seed") or "", int(frames), score)
        for row, (frames, score) in zip(rows, numbers, strict=True)
    ]


def _rows(path: Path, text: str, columns: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a table that has these columns."""
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        names, rows = reader.fieldnames or (), list(reader)
    except csv.Error as error:
        raise DamagedError(f"{path}: {error}") from None
    missing = [name for name in columns if name not in names]
    if missing:
        have = ", ".join(names) or "none"
        raise DamagedError(f"{path}: has no column {missing[0]}; columns are {visible(have)}")
    if any(row[name] is None for row in rows for name in columns):
        raise DamagedError(f"{path}: a row has fewer columns than there are")
    return rows


def _numbers(
    path: Path, rows: Iterable[Mapping[str, str]], columns: Sequence[str]
) -> list[list[float]]:
    """The numbers in these columns; lengths and frames are not negative."""
    found = list[list[float]]()
    for number, row in enumerate(rows, start=1):
        cells = [row[name] for name in columns]
        try:
            found.append([_number(name, row[name]) for name in columns])
        except ValueError:
            said = f"{', '.join(columns)} of point {number} must be numbers"
            raise DamagedError(f"{path}: {said}, got {', '.join(map(repr, cells))}") from None
    return found


def _number(name: str, cell: str) -> float:
    number, least = float(cell), -LARGEST if name in ("r", "score") else 0.0
    if not least <= number <= LARGEST:
        raise ValueError(cell)
    return number


def _text(path: Path) -> str:
    try:
        return reading.read(path, reading.TABLE).decode()
    except (MissingError, UnicodeDecodeError) as error:
        said = "is no text" if isinstance(error, UnicodeDecodeError) else "no such file"
        raise DamagedError(f"{path}: {said}") from None


def _game(path: Path, name: str, games: Sequence[str]) -> str:
    """The one name of a curve's game; one that is not known here stays as it is."""
    if not name and len(games) > 1:
        raise RunError(f"{path}: say in a column game which of {', '.join(games)} it is of")
    if not name:
        return games[0]
    if ":" in name:  # a module, which would be imported
        return name
    try:
        return find_world(_OLD_ID.sub("", name))
    except ValueError:
        return name


def _trial(game: str, label: str, seed: str, points: Sequence[tuple[int, float]]) -> TrialCurves:
    frames = np.array([f for f, _ in points], np.int64)
    values = {what: np.full(frames.size, np.nan) for what in QUANTITIES}
    values["score"] = np.array([score for _, score in points])
    row = dict.fromkeys(("beta", "version"), "")
    row |= {"game": game, "agent": label, "preset": OTHER_PROGRAM, "settings": label, "seed": seed}
    return TrialCurves(row, frames, values, name=f"{label} {seed}".strip())  # type: ignore[arg-type]
