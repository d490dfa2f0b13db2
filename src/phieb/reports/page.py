"""report.html: the whole report as one page that needs no network."""

import base64
import dataclasses
import json
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import __version__
from phieb.files import writing
from phieb.reports import rooms
from phieb.reports.colours import colour_of
from phieb.reports.curves import GroupCurves, Ints, by_game, curve, grid
from phieb.reports.groups import GroupedRuns, Result, command_of
from phieb.reports.panel import frame_skip, within
from phieb.reports.tables import Rows
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
    """Write the page: markup, style, script and numbers in one file.

    Args:
        runs: the runs to report on.
        curves: the learning curves of their groups.
        tables: by title.
        path: the file to write.
        still: returns a picture of a game as PNG, or None.
    """
    parts = files("phieb.reports") / "page_files"
    data = {
        "title": runs.folder.resolve().name,
        "version": __version__,
        "command": f"phieb report {runs.folder}",
        "quantities": QUANTITIES,
        "left_out": runs.left_out,
        "tables": [{"title": title, "rows": rows} for title, rows in tables.items()],
        "games": [_game(game, groups, still(game)) for game, groups in by_game(curves).items()],
        "runs": [_run(result) for result in runs.results()],
    }
    script = (parts / "page.js").read_text(encoding="utf-8")
    page = (parts / "page.html").read_text(encoding="utf-8")
    for mark, text in (
        ("/* style */", (parts / "page.css").read_text(encoding="utf-8")),
        ("/* script */", (parts / "charts.js").read_text(encoding="utf-8") + script),
        # Last, so that no name is taken for a placeholder; escaped, so that none ends the element.
        ("/* data */", json.dumps(data, allow_nan=False).replace("<", "\\u003c")),
    ):
        page = page.replace(mark, text, 1)
    writing.write(path, page)


def _game(game: str, groups: list[GroupCurves], still: bytes | None) -> dict[str, Any]:
    frames = grid(groups)
    return {
        "title": title_of(game),
        "still": still and "data:image/png;base64," + base64.b64encode(still).decode(),
        "frame_skip": frame_skip(groups),
        "plots": {what: _plot(what, groups, frames) for what in QUANTITIES},
        "sweeps": _sweeps(groups),
        "maps": [_map(group) for group in groups if rooms.has_rooms([group])],
    }


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


def _sweeps(groups: list[GroupCurves]) -> list[dict[str, Any]]:
    """Scores against β of agents that have runs with several, after as many frames as all have."""
    found = dict[str, dict[float, GroupCurves]]()
    for group in groups:
        beta = group.trials[0].row["beta"]
        if beta:
            said = f"β = {float(beta):g}"
            name = group.label.replace(f" ({said})", "").replace(f"{said}, ", "")
            found.setdefault(name, {})[float(beta)] = group
    made = []
    for name, by_beta in found.items():
        frames = min(trial.reached for group in by_beta.values() for trial in group.trials)
        points = [(beta, by_beta[beta].known_at(frames)) for beta in sorted(by_beta)]
        if len(points) > 1:
            made.append(
                {
                    "label": name,
                    "colour": colour_of(name),
                    "frames": f"{frames:,} {by_beta[points[0][0]].unit}",
                    "points": points,
                }
            )
    return made


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
