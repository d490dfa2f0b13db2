"""The ledger: what came of runs, one row each, made from their folders.

A trial is known by its game, agent, settings and seed. A row of an earlier version stays
what it was, and has the version in its label, once its preset means other settings than it did.
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any, TypedDict

from phieb.evaluation.evaluate import read_evaluation
from phieb.reports.runs import mean_score, preset_of, rooms_visited
from phieb.reports.tables import read_csv, write_csv
from phieb.training import Run, RunError
from phieb.training.config import SINCE_0_5, Config, label
from phieb.training.presets import PRESETS, preset
from phieb.training.run_folder import read_json


class Trial(TypedDict):
    """Which trial it is; all values are text, as in a file."""

    game: str
    agent: str  # its name, +, that of its bonus
    preset: str
    beta: str
    settings: str  # a hash: runs with the same one differ in seed and length only
    seed: str
    version: str


class Row(Trial):
    """What came of a trial."""

    frames: str
    episodes: str
    score: str  # the mean of the last hundred training episodes
    best: str
    rooms: str
    evaluated_on: str
    evaluation_frames: str  # of training before it: the run may have gone on since
    evaluation_episodes: str
    evaluation_mean: str
    evaluation_low: str
    evaluation_high: str
    behaviour: str  # the mean evaluation score on this value, and on the other
    extrinsic: str
    frames_per_second: str  # the median over episodes


TRIAL = tuple(Trial.__annotations__)
COLUMNS = (*TRIAL, *(name for name in Row.__annotations__ if name not in TRIAL))


def settings_hash(config: Config) -> str:
    """The same for runs that differ in seed and length only."""
    settings = dataclasses.asdict(config)
    later = {name: value for name, value in SINCE_0_5.items() if settings[name] == value}
    for name in ("seed", "frames", "checkpoint_every", *later):
        del settings[name]
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]


def row_of(run: Run) -> Row:
    """What came of a run so far."""
    config, episodes, evaluation = run.config(), run.episodes(), read_evaluation(run)
    mean, rooms = mean_score(episodes), rooms_visited(episodes)
    versions = read_json(run.config_file).get("versions")
    row: dict[str, Any] = {
        "game": config.game,
        "agent": f"{config.agent}+{config.bonus}",
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
    return _row({column: str(row.get(column, "")) for column in COLUMNS})


def trial_of(row: Trial) -> tuple[str, ...]:
    """What tells a trial from all others; preset and β are in the hash of the settings."""
    return row["game"], row["agent"], row["settings"], row["seed"]


def label_of(row: Trial) -> str:
    """What an agent is called: β, preset and version only where they are not the usual ones."""
    said = [agent_label(row)]
    if row["beta"] and not has_usual_beta(row):
        said.append(f"β = {float(row['beta']):g}")
    if row["preset"] != "default":
        said.append(f"preset {row['preset']}" if row["preset"] in PRESETS else row["preset"])
    if not is_current(row):
        said.append(f"version {row['version']}")
    return ", ".join(said)


def agent_label(row: Trial) -> str:
    """What the agent with its bonus is called, whatever its settings."""
    agent, _, bonus = row["agent"].partition("+")
    return label(agent, bonus)


def bonus_of(row: Trial) -> str:
    """The name of the bonus."""
    return row["agent"].partition("+")[2]


def config_of(row: Trial) -> Config | None:
    """The settings that its preset has today, but for the seed; None where there is no preset."""
    if row["preset"] not in PRESETS:
        return None
    return _preset(row["preset"], row["game"], row["agent"], row["beta"])


def is_current(row: Trial) -> bool:
    """Whether the settings are those that its preset has today; own settings always are."""
    config = config_of(row)
    return config is None or settings_hash(config) == row["settings"]


def is_default(row: Trial) -> bool:
    """Whether the settings are today's default, with its β."""
    return row["preset"] == "default" and has_usual_beta(row) and is_current(row)


def has_usual_beta(row: Trial) -> bool:
    """Whether a run has one of the presets, with its β; ε-greedy has none."""
    config = config_of(row)
    return config is not None and config.beta == _usual_beta(row)


def _usual_beta(row: Trial) -> float:
    return _preset(row["preset"], row["game"], row["agent"], "").beta


@lru_cache
def _preset(name: str, game: str, parts: str, beta: str) -> Config:
    agent, _, bonus = parts.partition("+")
    own = {"beta": float(beta)} if beta else {}
    return preset(name, game, agent=agent, bonus=bonus, **own)


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
    return [_row({**dict.fromkeys(COLUMNS, ""), **row}) for row in read_csv(path)]


def _row(values: Any) -> Row:
    row: Row = values
    return row


def preset_table(rows: list[Row], game: str) -> list[list[str]]:
    """Scores of each preset and of ε-greedy, a seed beside the other; first a header."""
    mine = [row for row in rows if row["game"] == game]
    kinds = [(name, "phi") for name in PRESETS] + [("default", "none")]
    table = [["settings", "agent", "frames", "score in training, a number a seed", "rooms"]]
    for name, bonus in kinds:
        found = _of_preset(mine, name, bonus)
        if found:
            table.append([f"`{name}`", label("sarsa", bonus), *found])
    return table


def _of_preset(rows: list[Row], preset: str, bonus: str) -> list[str]:
    """Frames, scores and rooms of the runs with these settings, if there are any."""
    found = [row for row in rows if (row["preset"], bonus_of(row)) == (preset, bonus)]
    if not found:
        return []
    found.sort(key=lambda row: int(row["seed"]))
    frames = f"{max(int(row['frames']) for row in found) / 1e6:.0f} M"
    scores = ", ".join(f"{float(row['score']):,.0f}" for row in found)
    return [frames, scores, ", ".join(row["rooms"] for row in found if row["rooms"])]


def _speed(episodes: list[dict[str, Any]]) -> Any:
    speeds = [episode["frames_per_second"] for episode in episodes]
    return round(median(speeds)) if speeds else ""
