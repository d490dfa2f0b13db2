"""The ledger: what came of runs, one row each, made from their folders.

A trial is known by its game, agent, settings and seed. A row of an earlier version stays
what it was, and has the version in its label, once its preset means other settings than it did.
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any

from phieb.evaluation.evaluate import read_evaluation
from phieb.novelty import BONUSES
from phieb.reports.runs import mean_score, preset_of, rooms_visited
from phieb.reports.tables import read_csv, write_csv
from phieb.training import Run, RunError
from phieb.training.config import PRESETS, Config, label, preset
from phieb.training.run_folder import read_json

# Which trial it is.
TRIAL = (
    "game",
    "agent",
    "preset",
    "beta",
    "settings",  # a hash: runs with the same one differ in seed and length only
    "seed",
)
COLUMNS = (
    *TRIAL,
    "frames",
    "episodes",
    "score",  # the mean of the last hundred training episodes
    "best",
    "rooms",
    "evaluated_on",
    "evaluation_frames",  # of training before it: the run may have gone on since
    "evaluation_episodes",
    "evaluation_mean",
    "evaluation_low",
    "evaluation_high",
    "behaviour",  # the mean evaluation score on this value, and on the other
    "extrinsic",
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
        "agent": config.label,
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
    if evaluation is not None:
        one = evaluation[evaluation["evaluate_on"]]
        both = {"behaviour", "extrinsic"} & evaluation.keys()
        row |= {kind: round(evaluation[kind]["mean"], 2) for kind in both}
        row |= {
            "evaluated_on": evaluation["evaluate_on"],
            "evaluation_frames": evaluation["frames"],
            "evaluation_episodes": len(one["scores"]),
            "evaluation_mean": round(one["mean"], 2),
            "evaluation_low": round(one["interval"][0], 2),
            "evaluation_high": round(one["interval"][1], 2),
        }
    return {column: str(row.get(column, "")) for column in COLUMNS}


def trial_of(row: Mapping[str, str]) -> tuple[str, ...]:
    """What tells a trial from all others; preset and β are in the hash of the settings."""
    return tuple(row[column] for column in ("game", "agent", "settings", "seed"))


def label_of(row: Mapping[str, str]) -> str:
    """What an agent is called: β, preset and version only where they are not the usual ones."""
    said = [row["agent"]]
    if row["beta"] and not has_usual_beta(row):
        said.append(f"β = {float(row['beta']):g}")
    if row["preset"] != "default":
        said.append(f"preset {row['preset']}" if row["preset"] in PRESETS else row["preset"])
    if not is_current(row):
        said.append(f"version {row['version']}")
    return ", ".join(said)


def bonus_of(row: Mapping[str, str]) -> str:
    """The bonus of the agent."""
    return next((b for b in BONUSES if label("sarsa", b) == row["agent"]), row["agent"])


def config_of(row: Mapping[str, str]) -> Config | None:
    """The settings that its preset has today, but for the seed; None where there is no preset."""
    if row["preset"] not in PRESETS:
        return None
    return _preset(row["preset"], row["game"], bonus_of(row), row["beta"])


def is_current(row: Mapping[str, str]) -> bool:
    """Whether the settings are those that its preset has today; own settings always are."""
    config = config_of(row)
    return config is None or settings_hash(config) == row["settings"]


def is_default(row: Mapping[str, str]) -> bool:
    """Whether the settings are today's default, with its β."""
    return row["preset"] == "default" and has_usual_beta(row) and is_current(row)


def has_usual_beta(row: Mapping[str, str]) -> bool:
    """Whether a run has one of the presets, with its β; ε-greedy has none."""
    config = config_of(row)
    return config is not None and config.beta == _usual_beta(row)


def _usual_beta(row: Mapping[str, str]) -> float:
    return _preset(row["preset"], row["game"], bonus_of(row), "").beta


@lru_cache
def _preset(name: str, game: str, bonus: str, beta: str) -> Config:
    return preset(name, game, bonus=bonus, **({"beta": float(beta)} if beta else {}))


def rows_of(folder: Path) -> Iterator[Row | RunError]:
    """A row for each run in a folder, or what is wrong with it, in order of their names."""
    for found in sorted(folder.rglob("config.json")):
        try:
            yield row_of(Run(found.parent))
        except RunError as error:
            yield error


def write(rows: Iterable[Row], path: Path) -> None:
    """As a table of values separated by commas."""
    write_csv(rows, COLUMNS, path)


def read(path: Path) -> list[Row]:
    """What `write` wrote; columns that it lacks are empty."""
    return [{**dict.fromkeys(COLUMNS, ""), **row} for row in read_csv(path)]


def preset_table(rows: list[Row], game: str) -> list[list[str]]:
    """Scores of each preset and of ε-greedy, a seed beside the other; first a header."""
    mine = [row for row in rows if row["game"] == game]
    kinds = [(name, "phi") for name in PRESETS] + [("default", "none")]
    table = [["settings", "agent", "frames", "score in training, a number a seed", "rooms"]]
    for name, bonus in kinds:
        found = _of_preset(mine, name, label("sarsa", bonus))
        if found:
            table.append([f"`{name}`", label("sarsa", bonus), *found])
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
