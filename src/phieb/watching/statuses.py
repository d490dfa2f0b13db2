"""How far runs are, from the end of their logs: cheap enough to be asked every other second."""

import os
from pathlib import Path
from time import time
from typing import Any, NamedTuple

from phieb.files.errors import RunError
from phieb.reports.groups import name_of
from phieb.reports.runs import mean_score
from phieb.training import Config, Run
from phieb.training.checkpoint import names
from phieb.training.live_view import duration
from phieb.worlds.games import title_of

NEWS = 120.0  # seconds without a line of the log or a checkpoint after which a run is called quiet
EPISODES = 100  # of the strip of the bonus

Stamp = tuple[Any, ...]


def stamp_of(run: Run) -> Stamp:
    """Changes whenever a file of a run that is shown does."""
    files = (run.config_file, run.log_file, run.evaluation_file)
    try:
        checkpoints = tuple(names(run.checkpoints))
    except RunError:
        checkpoints = ()
    return (*(_changed(file) for file in files), checkpoints)


class Facts(NamedTuple):
    """What the files of a run said when they were read."""

    config: Config
    episodes: list[dict[str, Any]]  # the last hundred or so
    frames: int
    changed: float  # when one of its files did


class Statuses:
    """How far the runs of a folder are.

    Args:
        folder: of all runs.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known = dict[Path, tuple[Stamp, Facts | None]]()

    def of(self, runs: list[Run]) -> dict[str, Any]:
        """A line for each run, and how far all of them are."""
        now, rows, facts = time(), list[dict[str, Any]](), list[Facts]()
        for run in runs:
            one = self._facts(run)
            if one is not None:
                facts.append(one)
                rows.append(_row(name_of(run, self._folder), one, now))
        return {"trials": rows, "overall": _overall(facts, now)}

    def _facts(self, run: Run) -> Facts | None:
        """Read again only where a file has changed; None where the settings cannot be read."""
        stamp = stamp_of(run)
        known = self._known.get(run.path)
        if known is None or known[0] != stamp:
            known = stamp, _read(run, stamp)
            self._known[run.path] = known
        return known[1]


def _read(run: Run, stamp: Stamp) -> Facts | None:
    *files, checkpoints = stamp
    try:
        config = run.config()
    except RunError:  # the page says why
        return None
    episodes = run.last_episodes()
    logged = episodes[-1]["frames"] if episodes else 0
    frames = max(logged, int(checkpoints[0]) if checkpoints else 0)
    times = [changed[0] for changed in files if changed]
    return Facts(config, episodes, frames, max(times, default=0.0))


def _row(name: str, facts: Facts, now: float) -> dict[str, Any]:
    config, episodes, score = facts.config, facts.episodes, mean_score(facts.episodes)
    skip = config.frame_skip if config.is_atari else 1
    bonuses = [one["bonus"] * skip / max(one["length"], 1) for one in episodes[-EPISODES:]]
    left = _seconds_left(facts) if _state(facts, now) == "running" else None
    return {
        "name": name,
        "game": title_of(config.game),
        "agent": config.label,
        "seed": config.seed,
        "state": _state(facts, now),
        "frames": facts.frames,
        "total": config.frames,
        "unit": config.unit,
        "speed": round(_speed(facts)) if episodes else None,
        "left": None if left is None else duration(left),
        "score": None if score is None else round(score, 1),
        "episodes": episodes[-1]["episode"] if episodes else 0,
        "bonuses": [float(f"{bonus:.3g}") for bonus in bonuses] if config.bonus != "none" else [],
    }


def _state(facts: Facts, now: float) -> str:
    if facts.frames >= facts.config.frames:
        return "done"
    quiet = now - facts.changed
    return "running" if quiet < NEWS else f"quiet for {duration(quiet)}"


def _speed(facts: Facts) -> float:
    """Frames a second over the last episodes, or 0."""
    last = facts.episodes[-10:]
    seconds = sum(one["length"] / max(one["frames_per_second"], 1e-9) for one in last)
    return sum(one["length"] for one in last) / seconds if seconds else 0.0


def _seconds_left(facts: Facts) -> float | None:
    speed = _speed(facts)
    return (facts.config.frames - facts.frames) / speed if speed else None


def _overall(facts: list[Facts], now: float) -> dict[str, Any]:
    """Of the runs that there are; those that have not begun are not known here."""
    running = [one for one in facts if _state(one, now) == "running"]
    lefts = [left for one in running if (left := _seconds_left(one)) is not None]
    return {
        "frames": sum(min(one.frames, one.config.frames) for one in facts),
        "total": sum(one.config.frames for one in facts),
        "running": len(running),
        "done": sum(_state(one, now) == "done" for one in facts),
        "left": duration(max(lefts)) if lefts else None,
    }


def _changed(file: Path) -> tuple[float, int] | None:
    try:
        found = os.lstat(file)
    except OSError:
        return None
    return found.st_mtime, found.st_size
