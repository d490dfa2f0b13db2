"""The ledger: one row for each run, with its scores, made from the folders of runs.

A trial is identified by its game, agent, settings and seed. If a preset has changed since a row was
written, the label of that row names the version.
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any, TypedDict

from phieb.evaluation.record import read_evaluation
from phieb.reports.runs import mean_score, preset_of, rooms_visited
from phieb.reports.tables import read_csv, write_csv
from phieb.training import Run, RunError
from phieb.training.config import SINCE_0_5, Config, label
from phieb.training.presets import PRESETS, preset
from phieb.training.run_folder import runs_in


class Trial(TypedDict):
    """The columns that identify a trial; all values are text, as in a file."""

    game: str
    agent: str  # the agent's name, "+", the bonus's name
    preset: str
    beta: str
    settings: str  # a hash: runs with equal hashes differ only in seed and length
    seed: str
    version: str


class Row(Trial):
    """A trial with its scores."""

    frames: str
    episodes: str
    score: str  # the mean of the last hundred training episodes
    best: str
    rooms: str
    evaluated_on: str
    evaluation_frames: str  # of training before it; the run may be longer by now
    evaluation_episodes: str
    evaluation_mean: str
    evaluation_low: str
    evaluation_high: str
    behaviour: str  # mean evaluation score when acting on the value that was trained with
    extrinsic: str  # mean evaluation score when acting on the value of the game's rewards
    frames_per_second: str  # the median over episodes


OTHER_PROGRAM = "other program"  # the preset of what was not trained here
TRIAL = tuple(Trial.__annotations__)
NAMES = ("run", "folder")
COLUMNS = (*TRIAL, *(name for name in Row.__annotations__ if name not in TRIAL))


def settings_hash(config: Config) -> str:
    """A hash that is equal for runs that differ only in seed and length."""
    settings = dataclasses.asdict(config)
    later = {name: value for name, value in SINCE_0_5.items() if settings[name] == value}
    for name in ("seed", "frames", "checkpoint_every", *later):
        del settings[name]
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]


def row_of(run: Run, episodes: list[dict[str, Any]] | None = None) -> Row:
    """The row of a run, as far as it is trained.

    Args:
        run: the run.
        episodes: of its log, where they have been read.
    """
    config, evaluation = run.config(), read_evaluation(run)
    episodes = run.episodes() if episodes is None else episodes
    mean, rooms = mean_score(episodes), rooms_visited(episodes)
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
        "version": run.versions().get("phieb", ""),
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
    """The key of a trial; the hash of its settings covers preset and β."""
    return row["game"], row["agent"], row["settings"], row["seed"]


def label_of(row: Trial) -> str:
    """The agent's name, with whatever differs from today's default in brackets."""
    own = ", ".join(own_settings(row))
    return f"{agent_label(row)} ({own})" if own else agent_label(row)


def own_settings(row: Trial) -> list[str]:
    """β, preset and version, each only where it differs from today's default."""
    own = list[str]()
    if row["preset"] == OTHER_PROGRAM:
        return own
    if row["beta"] and not has_usual_beta(row):
        own.append(f"β = {float(row['beta']):g}")
    if row["preset"] == "product":
        own.append("paper's count")
    elif row["preset"] != "default":
        own.append(f"preset {row['preset']}" if row["preset"] in PRESETS else row["preset"])
    if not is_current(row):
        own.append(f"version {row['version']}")
    return own


def agent_label(row: Trial) -> str:
    """The name of the agent with its bonus, without its settings."""
    if row["preset"] == OTHER_PROGRAM:
        return row["agent"]
    agent, _, bonus = row["agent"].partition("+")
    return label(agent, bonus)


def bonus_of(row: Trial) -> str:
    """The name of the bonus."""
    return row["agent"].partition("+")[2]


def config_of(row: Trial) -> Config | None:
    """The settings that its preset has today, except for the seed; None without a preset."""
    if row["preset"] not in PRESETS:
        return None
    return _preset(row["preset"], row["game"], row["agent"], row["beta"])


def is_current(row: Trial) -> bool:
    """Whether its preset still means the same settings; true for settings without a preset."""
    config = config_of(row)
    return config is None or settings_hash(config) == row["settings"]


def is_default(row: Trial) -> bool:
    """Whether the trial has today's default settings, with the default β."""
    return row["preset"] == "default" and has_usual_beta(row) and is_current(row)


def has_usual_beta(row: Trial) -> bool:
    """Whether a trial has a preset with that preset's β; always so without a bonus."""
    config = config_of(row)
    return config is not None and config.beta == _usual_beta(row)


def _usual_beta(row: Trial) -> float:
    return _preset(row["preset"], row["game"], row["agent"], "").beta


@lru_cache
def _preset(name: str, game: str, parts: str, beta: str) -> Config:
    agent, _, bonus = parts.partition("+")
    own = {"beta": float(beta)} if beta else {}
    return preset(name, game, agent=agent, bonus=bonus, **own)


def named_rows_of(folder: Path) -> Iterator[dict[str, Any]]:
    """The row of each run in a folder that can be read, with the run's name and folder."""
    for run in runs_in(folder):
        with suppress(RunError):
            yield {"run": run.path.name, "folder": str(run.path), **row_of(run)}


def write(rows: Iterable[Row], path: Path) -> None:
    """Write rows as a CSV file."""
    write_csv(rows, COLUMNS, path)


def read(path: Path) -> list[Row]:
    """Read the rows that `write` wrote; missing columns are empty."""
    return [_row({**dict.fromkeys(COLUMNS, ""), **row}) for row in read_csv(path)]


def _row(values: Any) -> Row:
    row: Row = values
    return row


def preset_table(rows: list[Row], game: str) -> list[list[str]]:
    """Scores of each preset and of Sarsa-ε, one number for each seed; the first row is a header."""
    mine = [row for row in rows if row["game"] == game]
    kinds = [(name, "phi") for name in PRESETS] + [("default", "none")]
    table = [["settings", "agent", "frames", "training score of each seed", "rooms"]]
    for name, bonus in kinds:
        found = _of_preset(mine, name, bonus)
        if found:
            table.append([f"`{name}`", label("sarsa", bonus), *found])
    return table


def _of_preset(rows: list[Row], preset: str, bonus: str) -> list[str]:
    """Frames, scores and rooms of the runs with a preset and a bonus; empty if there are none."""
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
