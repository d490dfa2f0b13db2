"""Trials under way."""

from collections.abc import Sequence

from rich.table import Table

from phieb.reports.runs import mean_score
from phieb.training import Run
from phieb.trials.scheduler import Progress


def live_table(everything: Sequence[Progress]) -> Table:
    """How it is with each trial."""
    table = Table("trial", "state", "frames", "episodes", "score", "frames/s", "")
    for one in everything:
        table.add_row(one.trial.path.name, one.state, *_far(one), one.problem)
    states = [one.state for one in everything]
    table.title = f"{states.count('done')} of {len(states)} trials done"
    table.caption = "score: mean game score of the last hundred training episodes"
    return table


def _far(one: Progress) -> list[str]:
    episodes = Run(one.trial.path).last_episodes()
    if not episodes:
        return ["", "", "", ""]
    last, score = episodes[-1], mean_score(episodes)
    frames = f"{last['frames'] / 1e6:.2f} of {one.trial.config.frames / 1e6:g} M"
    speed = f"{last['frames_per_second']:,.0f}" if one.state == "running" else ""
    return [frames, f"{last['episode']:,}", f"{score:,.1f}", speed]


def in_a_line(everything: Sequence[Progress]) -> str:
    """The same in few words: how many in each state, and how far those are that run."""
    states = [one.state for one in everything]
    counted = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    running = [
        f"{one.trial.path.name} {frames}, score {score}"
        for one in everything
        if one.state == "running"
        for frames, _, score, _ in [_far(one)]
        if frames
    ]
    return "; ".join([f"trials: {counted}", *running])
