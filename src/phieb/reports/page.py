"""report.html: the whole report as one page that needs no network."""

import base64
import dataclasses
import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import __version__
from phieb.files import writing
from phieb.reports import rooms
from phieb.reports.colours import colour_of
from phieb.reports.curves import GroupCurves, Ints, by_game, curve, grid
from phieb.reports.films import Film, film_of, films_of
from phieb.reports.groups import GroupedRuns, Result, command_of
from phieb.reports.panel import frame_skip, within
from phieb.reports.sweeps import Sweep, sweeps
from phieb.reports.tables import Rows
from phieb.trials.commands import commands_in
from phieb.worlds.games import title_of
from phieb.worlds.rooms import PYRAMID, place_of

# What the curves of the page can show: names in `TrialCurves.values`, and words.
QUANTITIES = {
    "score": "score",
    "bonus": "bonus",
    "pseudocount": "pseudocount",
    "observed": "observed features",
    "rooms": "rooms visited",
    "frames_per_second": "frames per second",
}


def write_page(
    runs: GroupedRuns,
    curves: Sequence[GroupCurves],
    tables: dict[str, Rows],
    path: Path,
    still: Callable[[str], bytes | None],
) -> None:
    """Write the page: markup, style, script, numbers and small films in one file.

    Args:
        runs: the runs to report on.
        curves: the learning curves of their groups.
        tables: by title.
        path: the file to write.
        still: returns a picture of a game as PNG, or None.
    """
    films = films_of(runs.results(), path.parent)
    games = [
        game_data(game, groups, still(game), films) for game, groups in by_game(curves).items()
    ]
    writing.write(path, page(text_of(page_data(runs, games, tables))))


def page(text: str, *, live: bool = False) -> str:
    """The page with its numbers.

    Args:
        text: what it shows, as `text_of` returned it.
        live: whether it asks whoever serves it for newer ones (`phieb watch`).
    """
    script = ["charts.js", "page.js", *(["live.js"] if live else [])]
    made = _part("page.html")
    for mark, part in (
        ("/* style */", _part("page.css")),
        ("/* sources */", "; connect-src 'self'" if live else ""),
        ("/* script */", "".join(map(_part, script))),
        # Last, so that no name is taken for a placeholder; escaped, so that none ends the element.
        ("/* data */", text.replace("<", "\\u003c")),
    ):
        made = made.replace(mark, part, 1)
    return made


def text_of(data: Mapping[str, Any]) -> str:
    """The numbers of the page as JSON."""
    return json.dumps(data, allow_nan=False)


def page_data(
    runs: GroupedRuns, games: Sequence[Mapping[str, Any]], tables: dict[str, Rows]
) -> dict[str, Any]:
    """What the page shows.

    Args:
        runs: the runs to report on.
        games: what `game_data` returned for each of their games.
        tables: by title.
    """
    return {
        "title": runs.folder.resolve().name,
        "version": __version__,
        "command": shlex.join(["phieb", "report", str(runs.folder)]),
        "trained_by": commands_in(runs.folder),
        "quantities": QUANTITIES,
        "left_out": runs.left_out,
        "tables": [{"title": title, "rows": rows} for title, rows in tables.items()],
        "games": games,
        "runs": [_run(result) for result in runs.results()],
    }


def game_data(
    game: str,
    groups: list[GroupCurves],
    still: bytes | None,
    films: Mapping[str, Film] = MappingProxyType({}),
) -> dict[str, Any]:
    """What the page shows of a game: its curves, films and maps of rooms.

    Args:
        game: its name.
        groups: the learning curves of its groups.
        still: a picture of it as PNG.
        films: of runs, by their names.
    """
    frames = grid(groups)
    return {
        "title": title_of(game),
        "still": still and "data:image/png;base64," + base64.b64encode(still).decode(),
        "frame_skip": frame_skip(groups),
        "plots": {what: _plot(what, groups, frames) for what in QUANTITIES},
        "films": [
            {"label": group.label, **film}
            for group in groups
            if (film := film_of(group, films)) is not None
        ],
        "sweeps": [_sweep(one) for one in sweeps(groups)],
        "maps": [_map(group) for group in groups if rooms.has_rooms([group])],
    }


def _part(name: str) -> str:
    return (files("phieb.reports") / "page_files" / name).read_text(encoding="utf-8")


def _plot(what: str, groups: list[GroupCurves], frames: Ints) -> dict[str, Any]:
    return {
        "unit": groups[0].unit,
        "frames": frames.tolist(),
        "groups": [_group(what, group, frames) for group in groups],
    }


def _group(what: str, group: GroupCurves, frames: Ints) -> dict[str, Any]:
    one = curve(frames, group.at(what, frames))
    return {
        "label": group.label,
        "colour": colour_of(group.label),
        "names": [trial.name for trial in group.trials],
        "trials": [_numbers(trial) for trial in one.trials],
        "mean": _numbers(one.mean),
        "sd": _numbers(one.deviation),
        "low": _numbers(one.low),
        "high": _numbers(one.high),
        "band": [_numbers(edge) for edge in one.band],
        "paper": within(group, int(frames[-1])) if what == "score" else [],
    }


def _sweep(one: Sweep) -> dict[str, Any]:
    return {**one._asdict(), "colour": colour_of(one.label), "places": one.places}


def _map(group: GroupCurves) -> dict[str, Any]:
    found = rooms.visits(group)
    return {
        "label": group.label,
        "rooms": [
            {"room": room, "place": place_of(room), "visits": found.get(room, 0)}
            for row in PYRAMID
            for room in row
        ],
    }


def _run(result: Result) -> dict[str, Any]:
    settings = dataclasses.asdict(result.config)
    return {
        "name": result.name,
        "row": result.row,
        "settings": {name.rstrip("_"): str(value) for name, value in settings.items()},
        "versions": result.versions,
        "decisions": result.episodes[-1]["decisions"],
        "command": command_of(result.config),
    }


def _numbers(values: NDArray[np.float64]) -> list[float | None]:
    """Values with four decimals; None for NaN."""
    return [None if np.isnan(x) else round(float(x), 4) for x in values]
