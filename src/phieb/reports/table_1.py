"""Table 1: evaluation scores, ours beside the paper's and beside those of others."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from phieb.intervals import bootstrap_mean, interquartile_mean
from phieb.reports.curves import readings, score_at, score_curve
from phieb.reports.ledger import Row, label_of
from phieb.reports.paper import COMPARED, MILLION, OURS, SINCE, Report
from phieb.reports.study import Group
from phieb.reports.tables import Rows, without_empty


def score_rows(ledger: Sequence[Row]) -> Rows:
    """One row for all trials of an agent in a game: how they scored, and the paper's score."""
    header = ["game", "agent", "trials", "frames", "training", "evaluation", "95 % interval"]
    table = [[*header, "over", "IQM", "paper", "paper's frames"]]
    for (game, label), rows in _by_agent(ledger).items():
        training = [float(row["score"]) for row in rows]
        table.append(
            [
                game,
                label,
                str(len(rows)),
                _frames(rows),
                f"{sum(training) / len(training):,.1f}",
                *_evaluated(rows),
                *_published(game, label),
            ]
        )
    return without_empty(table)


def paper_rows(ledger: Sequence[Row]) -> Rows:
    """As the paper has it: a row a system, a column a game; ours first, then all others."""
    games, agents = (dict.fromkeys(key[k] for key in _by_agent(ledger)) for k in range(2))
    table = [["system", "frames", *games, "source"]]
    for label in agents:
        mine = {game: rows for (game, of), rows in _by_agent(ledger).items() if of == label}
        scores = [_evaluated(mine[game])[0] if game in mine else "" for game in games]
        frames = _frames([row for rows in mine.values() for row in rows])
        if any(scores):  # without an evaluation there are none
            table.append([f"{label}, here", frames, *scores, "this report"])
    for report in (*OURS, *COMPARED, *SINCE):
        scores = [_score(report.scores.get(game)) for game in games]
        if any(scores):
            table.append([report.system, _their_frames(report, games), *scores, _source(report)])
    return table


def figure_rows(groups: Sequence[Group]) -> Rows:
    """Where our curves are beside the paper's Figure 1, at the same number of frames."""
    table = [["game", "agent", "frames", "here, mean of trials", "each trial", "Figure 1, about"]]
    for group in groups:
        for one in readings(group):
            if one.frames is not None:
                at = np.array([one.frames])
                trials = [float(score_at(result, at)[0]) for result in group.results]
                if not np.isnan(trials).any():
                    mean = float(score_curve(group, at).mean[0])
                    low, high = f"{one.low:,.0f}", f"{one.high:,.0f}"
                    table.append(
                        [
                            group.game,
                            group.label,
                            f"{one.frames / MILLION:g} M",
                            f"{mean:,.1f}",
                            ", ".join(f"{score:,.0f}" for score in trials),
                            low if low == high else f"{low}–{high}",
                        ]
                    )
    return table


def _frames(rows: Sequence[Row]) -> str:
    """How far the runs are: from the shortest to the longest."""
    few, many = (f(int(row["frames"]) for row in rows) / MILLION for f in (min, max))
    low, high = f"{few:,.2f}".rstrip("0").rstrip("."), f"{many:,.2f}".rstrip("0").rstrip(".")
    return f"{low} M" if low == high else f"{low}–{high} M"


def _evaluated(rows: Sequence[Row]) -> list[str]:
    """Mean, interval, what it is over, interquartile mean: of the runs that are evaluated."""
    done = [row for row in rows if row["evaluation_mean"]]
    if not done:
        return ["", "", "", ""]
    means = [float(row["evaluation_mean"]) for row in done]
    mean, low, high = bootstrap_mean(means)
    over = f"{len(done)} trials"
    if len(done) == 1:  # the interval of one trial is over its episodes
        low, high = float(done[0]["evaluation_low"]), float(done[0]["evaluation_high"])
        number = int(done[0]["evaluation_episodes"])
        over = f"{number} episode{'s' * (number != 1)}"
    interval = f"{low:,.1f} to {high:,.1f}"
    return [f"{mean:,.1f}", interval, over, f"{interquartile_mean(means):,.1f}"]


def _by_agent(ledger: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    found = defaultdict[tuple[str, str], list[Row]](list)
    for row in ledger:
        found[row["game"], label_of(row)].append(row)
    return dict(found)


def _published(game: str, label: str) -> list[str]:
    """The paper's evaluation score, if it has one of an agent of this label."""
    for report in OURS:
        if report.system == label and game in report.scores:
            return [_score(report.scores[game]), f"{80 if game == 'qbert' else 100} M"]
    return ["", ""]


def _their_frames(report: Report, games: Iterable[str]) -> str:
    if report.frames is None:
        return ""
    shorter = ", Q*bert 80 M" if report in OURS and "qbert" in games else ""
    return f"{report.frames / MILLION:,.0f} M{shorter}"


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:,.1f}".removesuffix(".0") if score else "0"


def _source(report: Report) -> str:
    return f"the paper, {report.source}" if report.source == "Table 1" else report.source
