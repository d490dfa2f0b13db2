"""Trials under way, and what came of them beside what the paper reports."""

from collections import defaultdict
from collections.abc import Sequence

from rich.table import Table

from phieb.intervals import bootstrap_mean
from phieb.reports.ledger import Row
from phieb.reports.paper import BETA, NAMES, OURS
from phieb.reports.runs import mean_score
from phieb.runs import Run
from phieb.runs.trials import Progress

Rows = list[list[str]]


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


def arm_rows(ledger: Sequence[Row]) -> Rows:
    """One row for all trials that differ in nothing but their seed; the first is a header.

    The paper's evaluation scores, of other frames, stand beside ours.
    """
    header = ["game", "agent", "β", "trials", "frames", "training", "evaluation", "95 % interval"]
    table = [[*header, "paper", "at frames"]]
    arms = defaultdict[tuple[str, ...], list[Row]](list)
    for row in ledger:
        arms[row["game"], row["agent"], row["beta"], row["settings"]].append(row)
    for (game, agent, beta, _), rows in arms.items():
        training = [float(row["score"]) for row in rows if row["score"]]
        evaluated = [float(row["evaluation_mean"]) for row in rows if row["evaluation_mean"]]
        mean, low, high = bootstrap_mean(evaluated) if evaluated else (None, None, None)
        table.append(
            [
                game,
                NAMES[agent],
                beta,
                str(len(rows)),
                f"{min(int(row['frames']) for row in rows) / 1e6:.2f} M",
                f"{sum(training) / len(training):,.1f}" if training else "",
                f"{mean:,.1f}" if mean is not None else "",
                f"{low:,.1f} to {high:,.1f}" if len(evaluated) > 1 else "",
                *_published(game, agent, beta),
            ]
        )
    return table


def _published(game: str, agent: str, beta: str) -> list[str]:
    """The paper's evaluation score, if it has one of these settings."""
    report = next(one for one in OURS if one.system == NAMES[agent])
    if game not in report.scores or (agent == "phi-eb" and float(beta) != BETA):
        return ["", ""]
    frames = 80_000_000 if game == "qbert" else report.frames
    return [f"{report.scores[game]:,.1f}", f"{frames // 1_000_000} M"] if frames else ["", ""]
