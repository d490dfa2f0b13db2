"""Descriptions of runs: the settings and progress of one run, and a table of many."""

import dataclasses
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from phieb.evaluation.record import read_evaluation
from phieb.plain_text import visible
from phieb.training import Config, Run, RunError
from phieb.training.live_view import sparkline
from phieb.training.presets import PRESETS, preset
from phieb.training.run_folder import runs_in

LAST = 100  # episodes that a training score is the mean of
KINDS = {
    "behaviour": "behaviour: the value trained with",
    "extrinsic": "extrinsic: that of r alone",
}


def millions(frames: int) -> str:
    """A number of frames in millions; fewer than ten thousand in full.

    Example:
        >>> millions(2_500_004), millions(40_000), millions(3_001)
        ('2.5 M', '0.04 M', '3,001')
    """
    if 0 < frames < 10_000:
        return f"{frames:,}"
    return f"{frames / 1e6:,.2f}".rstrip("0").rstrip(".") + " M"


def mean_score(episodes: list[dict[str, Any]]) -> float | None:
    """The mean score of the last hundred episodes."""
    scores = [episode["score"] for episode in episodes[-LAST:]]
    return sum(scores) / len(scores) if scores else None


def rooms_visited(episodes: list[dict[str, Any]]) -> set[str]:
    """The rooms visited so far; empty in games other than Montezuma's Revenge."""
    return {room for episode in episodes for room in episode.get("rooms", ())}


def preset_of(config: Config) -> str:
    """The preset with the settings of a run, except for β; "own settings" if there is none."""
    free = {"env_args": config.env_args, "seed": config.seed, "beta": config.beta}
    for name in PRESETS:
        usual = _usual(name, config.game, config.agent, config.bonus)
        if not config.differences({**vars(usual), **free}):
            return name
    return "own settings"


@cache
def _usual(name: str, game: str, agent: str, bonus: str) -> Config:
    """`preset`, cached because many runs have the same one."""
    return preset(name, game, agent=agent, bonus=bonus)


def evaluation_table(config: Config, results: dict[str, Any]) -> Table:
    """Mean scores with their intervals."""
    unit = config.unit
    table = Table("acting on", "mean score", "95 % interval", "best", f"mean {unit}", "episodes")
    epsilon = results["epsilon"]
    policy = f"ε = {epsilon:g}" if epsilon else "actions drawn from the policy"
    table.title = f"{config.game} after {results['frames']:,} {unit}, frozen, {policy}"
    table.caption = f"interval: bootstrap over episodes; the run's score: {results['evaluate_on']}"
    for kind, words in KINDS.items():
        if kind in results:
            one = results[kind]
            low, high = one["interval"]
            table.add_row(
                words,
                f"{one['mean']:,.1f}",
                f"{low:,.1f} to {high:,.1f}" if len(one["scores"]) > 1 else "–",
                f"{max(one['scores']):,.0f}",
                f"{sum(one['frames']) / len(one['frames']):,.0f}",
                f"{len(one['scores']):,}",
            )
    return table


def about(run: Run) -> Iterator[RenderableType]:
    """Settings, progress, latest scores, evaluation."""
    config, episodes = run.config(), run.episodes()
    settings = Table("setting", "value", title=visible(str(run.path)), title_justify="left")
    for name, value in dataclasses.asdict(config).items():
        shown = f"{value:,}" if type(value) is int else visible(str(value))
        settings.add_row(name.rstrip("_"), shown)
    yield settings
    yield f"preset: {preset_of(config)}"
    frames = run.frames()
    done = frames / config.frames
    yield f"{len(episodes):,} episodes, {frames:,} of {config.frames:,} {config.unit} ({done:.0%})"
    yield f"newest checkpoint: {run.saved_frames():,} {config.unit}"
    mean = mean_score(episodes)
    if mean is not None:
        scores = [episode["score"] for episode in episodes]
        yield f"mean score of the last {len(scores[-LAST:])}: {mean:,.1f}, best {max(scores):,.0f}"
        yield f"scores: {sparkline(scores, 60)}"
        yield "latest: " + ", ".join(f"{score:,.0f}" for score in scores[-10:])
    rooms = rooms_visited(episodes)
    if rooms:
        yield f"rooms visited: {', '.join(sorted(rooms, key=int))}"
    evaluation = read_evaluation(run)
    if evaluation is not None:
        yield evaluation_table(config, evaluation)


def all_runs(folder: Path) -> tuple[Table, list[str]]:
    """A row for each run, found by its config.json; and for each unreadable run why, in a line."""
    unreadable = []
    table = Table(caption=f"score: mean of the last {LAST} episodes in training")
    table.add_column("run", overflow="fold")
    for column in ("game", "agent", "preset", "seed", "frames", "done", "score", "best", "rooms"):
        table.add_column(column)
    table.add_column("evaluated")
    for run in runs_in(folder):
        name = visible(str(run.path.relative_to(folder)))
        try:
            table.add_row(Text(name), *_row(run))
        except RunError as error:
            unreadable.append(f"{name}: {visible(str(error))}")
    return table, unreadable


def _row(run: Run) -> list[str]:
    config, episodes, evaluation = run.config(), run.episodes(), read_evaluation(run)
    frames = max(run.saved_frames(), episodes[-1]["frames"] if episodes else 0)
    mean, rooms = mean_score(episodes), rooms_visited(episodes)
    return [
        config.game,
        config.label,
        preset_of(config),
        str(config.seed),
        millions(frames),
        f"{frames / config.frames:.0%}",
        "–" if mean is None else f"{mean:,.1f}",
        f"{max(episode['score'] for episode in episodes):,.0f}" if episodes else "–",
        str(len(rooms)) if rooms else "–",
        _evaluated(evaluation, frames),
    ]


def _evaluated(evaluation: dict[str, Any] | None, frames: int) -> str:
    """The mean score, and the frames of training if the run was extended since."""
    if evaluation is None:
        return "–"
    mean = f"{evaluation[evaluation['evaluate_on']]['mean']:,.1f}"
    then = int(evaluation["frames"])
    return mean if then == frames else f"{mean} at {millions(then)}"
