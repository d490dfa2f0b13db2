"""The race for the default settings: a row a trial, who is ahead, and by how sure a margin.

A trial is judged by the area under its learning curve: the mean over frames of its training score,
which is the mean of the last hundred episodes. Areas are divided, game by game, by the best
candidate's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.intervals import RESAMPLES
from phieb.reports.curves import POINTS, trial_curves
from phieb.reports.groups import Result, read_study
from phieb.reports.tables import Rows, read_csv, write_csv
from phieb.training import Config, RunError
from phieb.worlds.games import title_of

COLUMNS = ("candidate", "game", "seed", "frames", "area", "score", "best", "rooms")
TO_TELL = ("settings", "version")  # of the same settings? made with which version?
FILE = "race.csv"
EPSILON = "epsilon"  # what a default must not be below

Row = dict[str, str]
Areas = Mapping[tuple[str, str], NDArray[np.float64]]  # (candidate, game): one a seed


class Standing(NamedTuple):
    """How a candidate stands; all areas relative to the best candidate's in a game.

    Attributes:
        games: the interquartile mean over seeds, in each game.
        mean: of the games, with its 95 % interval.
        below: games in which it is significantly below ε-greedy.
    """

    candidate: str
    games: dict[str, float]
    mean: float
    low: float
    high: float
    below: list[str]

    @property
    def worst(self) -> str:
        """The game in which it stands worst."""
        return min(self.games, key=self.games.__getitem__)


def row_of(candidate: str, result: Result, frames: int) -> Row:
    """A trial, up to so many frames."""
    grid = np.linspace(0, frames, POINTS + 1)[1:].astype(np.int64)
    # A decision may step over the last frame: the run is at least as long.
    scores = np.nan_to_num(
        trial_curves(result).at("score", grid)
    )  # before the first episode is over: nothing
    by_then = [episode for episode in result.episodes if episode["frames"] <= frames]
    row = {
        "candidate": candidate,
        "game": result.config.game,
        "seed": result.config.seed,
        "frames": frames,
        "area": round(float(scores.mean()), 3),
        "score": round(float(scores[-1]), 2),
        "best": max((episode["score"] for episode in by_then), default=0.0),
        "rooms": len({room for episode in by_then for room in episode.get("rooms", ())}) or "",
        "settings": result.row["settings"],
        "version": result.row["version"],
    }
    return {name: str(value) for name, value in row.items()}


def key_of(row: Row) -> tuple[str, str, int, int]:
    """What a row is known by."""
    return row["candidate"], row["game"], int(row["seed"]), int(row["frames"])


def collect(folder: Path, candidate_of: Callable[[Config], str], frames: Mapping[str, int]) -> None:
    """Add the trials of a folder that are so long to its race.csv; what stands there stays."""
    kept = {key_of(row): row for row in read(folder / FILE)}
    any_run = any(folder.rglob("config.json"))  # or all that is left of them is their rows
    for result in read_study(folder, mix=True).results() if any_run else []:
        name, most = candidate_of(result.config), frames.get(result.config.game)
        if name and most is not None and int(result.row["frames"]) >= most:
            row = row_of(name, result, most)
            kept[key_of(row)] = row
    write(kept.values(), folder / FILE)


def write(rows: Iterable[Row], path: Path) -> None:
    """As a table of values separated by commas, in an order of their own."""
    ordered: list[Row] = sorted(rows, key=key_of)
    write_csv(ordered, (*COLUMNS, *TO_TELL), path)


def read(path: Path) -> list[Row]:
    """What `write` wrote; nothing if there is no file.

    Raises:
        RunError: it is not what `write` writes.
    """
    if not path.exists():
        return []
    rows = read_csv(path)
    for number, row in enumerate(rows, start=2):
        try:
            key_of(row), float(row["area"]), float(row["score"]), row["settings"]
        except (KeyError, TypeError, ValueError):
            raise RunError(f"{path}: line {number} is not a row of a race") from None
    return rows


def at(
    frames: Mapping[str, int], rows: Sequence[Row], candidates: Sequence[str] | None = None
) -> list[Row]:
    """The rows of trials up to so many frames in each game; of all candidates, or of some."""
    return [
        row
        for row in rows
        if frames.get(row["game"]) == int(row["frames"])
        and (candidates is None or row["candidate"] in candidates)
    ]


def areas_of(rows: Sequence[Row], seeds: Sequence[int]) -> Areas:
    """Areas of the candidates that have run with all these seeds in all games that any has."""
    found = {(row["candidate"], row["game"], int(row["seed"])): float(row["area"]) for row in rows}
    candidates, games = _names(found)
    whole = [
        one for one in candidates if all((one, game, s) in found for game in games for s in seeds)
    ]
    return {
        (one, game): np.array([found[one, game, s] for s in seeds])
        for one in whole
        for game in games
    }


def _names(keys: Iterable[tuple[Any, ...]]) -> tuple[list[str], list[str]]:
    """Candidates and games, in the order in which they come."""
    all_ = list(keys)
    return list(dict.fromkeys(key[0] for key in all_)), list(dict.fromkeys(key[1] for key in all_))


def best_of(areas: Areas) -> dict[str, float]:
    """The best candidate's area in each game: the interquartile mean over seeds."""
    best = dict[str, float]()
    for (_, game), values in areas.items():
        best[game] = max(best.get(game, 0.0), _iqm(values))
    return {game: area or 1.0 for game, area in best.items()}  # where nobody scored: all are 0


def standings(areas: Areas) -> list[Standing]:
    """All candidates, the best first."""
    candidates, games = _names(areas)
    best = best_of(areas)
    rng = np.random.default_rng(0)
    num_seeds = next(iter(areas.values())).size
    drawn = {game: rng.integers(num_seeds, size=(RESAMPLES, num_seeds)) for game in games}
    found = []
    for one in candidates:
        relative = {game: _iqm(areas[one, game]) / best[game] for game in games}
        means = np.mean(
            [_iqms(areas[one, game][drawn[game]]) / best[game] for game in games], axis=0
        )
        low, high = np.quantile(means, (0.025, 0.975))
        below = [game for game in games if _is_below_epsilon(areas, one, game, drawn[game])]
        mean = float(np.mean(list(relative.values())))
        found.append(Standing(one, relative, mean, float(low), float(high), below))
    return sorted(found, key=lambda one: -one.mean)


def _is_below_epsilon(areas: Areas, one: str, game: str, drawn: NDArray[np.int64]) -> bool:
    """Whether the 95 % interval of the difference of mean areas is below 0; with two seeds none."""
    if one == EPSILON or (EPSILON, game) not in areas or areas[one, game].size < 3:
        return False
    others = np.roll(drawn, 1, axis=0)  # trials with the same seed have nothing else in common
    gap = areas[one, game][drawn].mean(axis=1) - areas[EPSILON, game][others].mean(axis=1)
    return bool(np.quantile(gap, 0.975) < 0.0)


def _iqm(values: NDArray[np.float64]) -> float:
    return float(_iqms(values[None])[0])


def _iqms(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Interquartile means of rows."""
    cut = values.shape[1] // 4
    middle = np.sort(values, axis=1)[:, cut : values.shape[1] - cut]
    means: NDArray[np.float64] = middle.mean(axis=1)
    return means


def table_rows(rows: Sequence[Row], seeds: Sequence[int]) -> Rows:
    """Where all stand, the best first; a first row of titles."""
    areas = areas_of(rows, seeds)
    if not areas:
        return []
    found = standings(areas)
    games = list(found[0].games)
    title = ["candidate", "mean", "95 % interval", "worst game", "significantly below ε"]
    table = [[*title, *map(title_of, games)]]
    for one in found:
        worst = f"{title_of(one.worst)} {one.games[one.worst]:.2f}"
        below = ", ".join(map(title_of, one.below)) or "–"
        interval = f"{one.low:.2f} to {one.high:.2f}"
        numbers = [f"{one.games[game]:.2f}" for game in games]
        table.append([one.candidate, f"{one.mean:.2f}", interval, worst, below, *numbers])
    return table


def score_rows(rows: Sequence[Row], seeds: Sequence[int]) -> Rows:
    """The score at the end, a number a seed."""
    areas = areas_of(rows, seeds)
    scores = {(row["candidate"], row["game"], int(row["seed"])): row["score"] for row in rows}
    candidates, games = _names(areas)
    frames = {row["game"]: int(row["frames"]) / 1e6 for row in rows}
    table = [["candidate", *(f"{title_of(game)}, {frames[game]:g} M" for game in games)]]
    for one in candidates:
        cells = [
            ", ".join(f"{float(scores[one, game, seed]):,.0f}" for seed in seeds) for game in games
        ]
        table.append([one, *cells])
    return table
