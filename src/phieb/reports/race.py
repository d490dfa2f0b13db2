"""The race for the default settings: a row for each trial, and the ranking of candidates.

Trials are compared by the area under their learning curves: the mean over frames of the training
score, which is the mean of the last hundred episodes. In each game, areas are divided by that of
the best candidate.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.intervals import RESAMPLES
from phieb.reports.curves import POINTS, trial_curves
from phieb.reports.groups import Result, read_runs
from phieb.reports.tables import Rows, read_csv, write_csv
from phieb.training import Config, RunError
from phieb.worlds.games import title_of

COLUMNS = ("candidate", "game", "seed", "frames", "area", "score", "best", "rooms")
PROVENANCE = ("settings", "version")  # the hash of the settings; the version of phieb
FILE = "race.csv"
EPSILON = "epsilon"  # the baseline that a default must not be below

Row = dict[str, str]
Areas = Mapping[tuple[str, str], NDArray[np.float64]]  # (candidate, game): one for each seed


class Standing(NamedTuple):
    """The result of a candidate; areas are relative to that of the best candidate in each game.

    Attributes:
        games: the interquartile mean over seeds, in each game.
        mean: over the games; low and high are its 95 % interval.
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
        """The game with its lowest relative area."""
        return min(self.games, key=self.games.__getitem__)


def row_of(candidate: str, result: Result, frames: int) -> Row:
    """The row of a trial up to a number of frames."""
    grid = np.linspace(0, frames, POINTS + 1)[1:].astype(np.int64)
    # A decision may step over the last frame: the run is at least as long.
    # Before the end of the first episode the score counts as 0.
    scores = np.nan_to_num(trial_curves(result).at("score", grid))
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
    """The key of a row: candidate, game, seed and frames."""
    return row["candidate"], row["game"], int(row["seed"]), int(row["frames"])


def collect(folder: Path, candidate_of: Callable[[Config], str], frames: Mapping[str, int]) -> None:
    """Add all trials of a folder that are long enough to its race.csv; no row is removed."""
    kept = {key_of(row): row for row in read(folder / FILE)}
    any_run = any(folder.rglob("config.json"))  # their folders may be gone, their rows kept
    for result in read_runs(folder, mix=True).results() if any_run else []:
        name, most = candidate_of(result.config), frames.get(result.config.game)
        if name and most is not None and int(result.row["frames"]) >= most:
            row = row_of(name, result, most)
            kept[key_of(row)] = row
    write(kept.values(), folder / FILE)


def write(rows: Iterable[Row], path: Path) -> None:
    """Write rows as CSV, sorted."""
    ordered: list[Row] = sorted(rows, key=key_of)
    write_csv(ordered, (*COLUMNS, *PROVENANCE), path)


def read(path: Path) -> list[Row]:
    """Read what `write` wrote; no rows if there is no file.

    Raises:
        RunError: the file has other columns or values.
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


def rows_at(
    frames: Mapping[str, int], rows: Sequence[Row], candidates: Sequence[str] | None = None
) -> list[Row]:
    """The rows with these numbers of frames in each game, of all or some candidates."""
    return [
        row
        for row in rows
        if frames.get(row["game"]) == int(row["frames"])
        and (candidates is None or row["candidate"] in candidates)
    ]


def areas_of(rows: Sequence[Row], seeds: Sequence[int]) -> Areas:
    """Areas of the candidates that have a trial with every seed in every game of the rows."""
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
    """Candidates and games, in order of appearance."""
    all_ = list(keys)
    return list(dict.fromkeys(key[0] for key in all_)), list(dict.fromkeys(key[1] for key in all_))


def best_of(areas: Areas) -> dict[str, float]:
    """The best candidate's area in each game: the interquartile mean over seeds."""
    best = dict[str, float]()
    for (_, game), values in areas.items():
        best[game] = max(best.get(game, 0.0), _iqm(values))
    # Where no candidate scored all areas are 0: divide them by 1.
    return {game: area or 1.0 for game, area in best.items()}


def standings(areas: Areas) -> list[Standing]:
    """Results of all candidates, the best first."""
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
    """Whether the 95 % interval of the difference of mean areas is below 0 (≥ 3 seeds)."""
    if one == EPSILON or (EPSILON, game) not in areas or areas[one, game].size < 3:
        return False
    others = np.roll(drawn, 1, axis=0)  # independent samples: trials are not paired by seed
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
    """The ranking, the best first, with a header."""
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
        interval = f"{one.low:.2f} to {one.high:.2f}" if len(seeds) > 1 else "–"
        numbers = [f"{one.games[game]:.2f}" for game in games]
        table.append([one.candidate, f"{one.mean:.2f}", interval, worst, below, *numbers])
    return table


def score_rows(rows: Sequence[Row], seeds: Sequence[int]) -> Rows:
    """Scores at the end, one number per seed, with a header."""
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
