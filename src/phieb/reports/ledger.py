"""The ledger: what came of runs, one row each, made from their folders."""

import csv
import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from phieb.reports.paper import BETA
from phieb.reports.runs import mean_score, preset_of, rooms_visited
from phieb.runs import Run, RunError
from phieb.runs.config import BONUSES, PRESETS, Config
from phieb.runs.evaluate import read_evaluation
from phieb.runs.folder import read_json

COLUMNS = (
    "game",
    "agent",
    "preset",
    "beta",
    "settings",  # a hash: runs with the same one differ in seed and length only
    "seed",
    "frames",
    "episodes",
    "score",  # the mean of the last hundred training episodes
    "best",
    "rooms",
    "evaluated_on",
    "evaluation_episodes",
    "evaluation_mean",
    "evaluation_low",
    "evaluation_high",
    "frames_per_second",  # the median over episodes
    "version",
)

Row = dict[str, str]


def settings_hash(config: Config) -> str:
    """The same for runs that differ in seed and length only."""
    settings = dataclasses.asdict(config)
    for name in ("seed", "frames", "checkpoint_every"):
        del settings[name]
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]


def row_of(run: Run) -> Row:
    """What came of a run so far."""
    config, episodes, evaluation = run.config(), run.episodes(), read_evaluation(run)
    mean, rooms = mean_score(episodes), rooms_visited(episodes)
    versions = read_json(run.config_file).get("versions")
    row: dict[str, Any] = {
        "game": config.game,
        "agent": BONUSES[config.bonus],
        "preset": preset_of(config),
        "beta": config.beta if config.bonus != "none" else "",
        "settings": settings_hash(config),
        "seed": config.seed,
        "frames": run.frames(),
        "episodes": len(episodes),
        "score": "" if mean is None else round(mean, 2),
        "best": max((episode["score"] for episode in episodes), default=""),
        "rooms": len(rooms) or "",
        "frames_per_second": _speed(episodes),
        "version": versions.get("phieb", "") if isinstance(versions, dict) else "",
    }
    if evaluation is not None and evaluation["frames"] == run.saved_frames():  # not of earlier
        one = evaluation[evaluation["evaluate_on"]]
        row |= {
            "evaluated_on": evaluation["evaluate_on"],
            "evaluation_episodes": len(one["scores"]),
            "evaluation_mean": round(one["mean"], 2),
            "evaluation_low": round(one["interval"][0], 2),
            "evaluation_high": round(one["interval"][1], 2),
        }
    return {column: str(row.get(column, "")) for column in COLUMNS}


def label_of(row: Row) -> str:
    """What an agent is called: its β and its preset only where they are not the usual ones."""
    said = [row["agent"]]
    if row["beta"] and float(row["beta"]) != BETA:
        said.append(f"β = {float(row['beta']):g}")
    if row["preset"] != "default":
        said.append(f"preset {row['preset']}" if row["preset"] in PRESETS else row["preset"])
    return ", ".join(said)


def rows_of(folder: Path) -> Iterator[Row | RunError]:
    """A row for each run in a folder, or what is wrong with it, in order of their names."""
    for found in sorted(folder.rglob("config.json")):
        try:
            yield row_of(Run(found.parent))
        except RunError as error:
            yield error


def write(rows: Iterable[Row], path: Path) -> None:
    """As a table of values separated by commas."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read(path: Path) -> list[Row]:
    """What `write` wrote."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def preset_table(rows: list[Row], game: str) -> list[list[str]]:
    """Scores of each preset and of ε-greedy, a seed beside the other; first a header."""
    mine = [row for row in rows if row["game"] == game]
    kinds = [(name, "phi") for name in PRESETS] + [("default", "none")]
    table = [["settings", "agent", "frames", "score in training, a number a seed", "rooms"]]
    for preset, bonus in kinds:
        found = _of_preset(mine, preset, BONUSES[bonus])
        if found:
            table.append([f"`{preset}`", BONUSES[bonus], *found])
    return table


def _of_preset(rows: list[Row], preset: str, agent: str) -> list[str]:
    """Frames, scores and rooms of the runs with these settings, if there are any."""
    found = [row for row in rows if (row["preset"], row["agent"]) == (preset, agent)]
    if not found:
        return []
    found.sort(key=lambda row: int(row["seed"]))
    frames = f"{max(int(row['frames']) for row in found) / 1e6:.0f} M"
    scores = ", ".join(f"{float(row['score']):,.0f}" for row in found)
    return [frames, scores, ", ".join(row["rooms"] for row in found if row["rooms"])]


def _speed(episodes: list[dict[str, Any]]) -> Any:
    speeds = [episode["frames_per_second"] for episode in episodes]
    return round(median(speeds)) if speeds else ""
