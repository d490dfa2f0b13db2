"""Table 1: our scores, the paper's and those of other systems."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from phieb.experiments.paper import MILLION, paper_frames
from phieb.intervals import bootstrap_mean, interquartile_mean
from phieb.reports.curves import GroupCurves, frames_text
from phieb.reports.ledger import Row, agent_label, has_usual_beta, label_of
from phieb.reports.paper import COMPARED, MARKS, PAPER, SINCE, Reading, Report
from phieb.reports.tables import Rows, without_empty
from phieb.worlds.games import title_of

_EVALUATED = [
    *("evaluation", "95 % interval", "over", "IQM", "evaluated at"),
    *("paper", "paper's frames"),
]


_NUMBERS = (
    *("game", "agent", "trials", "least_frames", "most_frames", "training"),
    *("evaluation", "evaluation_low", "evaluation_high", "evaluated_trials"),
    *("evaluated_episodes", "evaluation_iqm", "evaluation_frames", "paper", "paper_frames"),
)


def score_rows(ledger: Sequence[Row]) -> Rows:
    """One row for each agent in each game: scores of its trials, and the paper's score."""
    table = [["game", "agent", "trials", "frames", "training", *_EVALUATED]]
    for (game, label), rows in by_agent(ledger).items():
        training = [float(row["score"]) for row in rows]
        table.append(
            [
                game,
                label,
                str(len(rows)),
                _frames(rows),
                f"{sum(training) / len(training):,.1f}",
                *_evaluated(rows),
                *_published(rows[0]),
            ]
        )
    return without_empty(table)


def score_numbers(ledger: Sequence[Row]) -> Rows:
    """`score_rows` for programs: a number in each cell, frames in full, ranges in two columns."""
    table = [[*_NUMBERS]]
    for (game, label), rows in by_agent(ledger).items():
        frames = [int(row["frames"]) for row in rows]
        training = fmean(float(row["score"]) for row in rows)
        done, paper = evaluated(rows), _report_of(rows[0])
        at_100 = [] if paper is None else [paper.scores[game], paper_frames(game)]
        cells: list[Any] = [game, label, len(rows), min(frames), max(frames), training]
        cells += [""] * 7 if done is None else [*done]
        cells += at_100 or ["", ""]
        table.append([_number(cell) for cell in cells])
    return table


def _number(cell: Any) -> str:
    """A number with two digits; nothing where it is not known."""
    return "" if cell is None else str(round(cell, 2) if isinstance(cell, float) else cell)


def front_rows(ledger: Sequence[Row]) -> Rows:
    """`score_rows` in seven columns, for README."""
    header = ["game", "agent", "frames", "trials", "training", "evaluation [95 % interval]"]
    full, *rows = score_rows(ledger)
    table = [[*header, "paper at 100 M"]]
    for row in rows:
        found = {**dict.fromkeys(_EVALUATED, ""), **dict(zip(full, row, strict=True))}
        first = [title_of(found["game"]).replace("*", "\\*"), found["agent"]]
        scores = [found["training"], _evaluation_text(found), _paper_text(found)]
        table.append([*first, found["frames"], found["trials"], *scores])
    return table


def _evaluation_text(found: Mapping[str, str]) -> str:
    if not found["evaluation"]:
        return ""
    said = f"{found['evaluation']} [{found['95 % interval'].replace(' to ', ', ')}]"
    return f"{said} at {found['evaluated at']}" if found["evaluated at"] else said


def _paper_text(found: Mapping[str, str]) -> str:
    frames = found["paper's frames"]
    return f"{found['paper']} at {frames}" if frames not in ("", "100 M") else found["paper"]


def paper_rows(ledger: Sequence[Row]) -> Rows:
    """The paper's layout: a row for each system, a column for each game; ours come first."""
    games, agents = (dict.fromkeys(key[k] for key in by_agent(ledger)) for k in range(2))
    table = [["system", "frames", *games, "source"]]
    for label in agents:
        mine = {game: rows for (game, of), rows in by_agent(ledger).items() if of == label}
        scores = [_evaluated(mine[game])[0] if game in mine else "" for game in games]
        frames = _frames([row for rows in mine.values() for row in rows])
        if any(scores):  # only evaluation scores are compared
            table.append([f"{label}, here", frames, *scores, "this report"])
    for report in (*PAPER, *COMPARED, *SINCE):
        scores = [_score(report.scores.get(game)) for game in games]
        if any(scores):
            table.append([report.system, _their_frames(report, games), *scores, _source(report)])
    return table


def figure_rows(groups: Iterable[GroupCurves]) -> Rows:
    """Our training scores, and the paper's where its Figure 1 can be read.

    Rows are at round numbers of frames and at those where the paper's curve was read. The mean is
    over the trials that are at least so long.
    """
    header = ["game", "agent", "frames", "trials", "here, mean of trials", "each trial"]
    table = [[*header, "Figure 1, about"]]
    for group in groups:
        read = {one.frames: one for one in group.readings if one.frames}
        for frames in sorted({*MARKS, *read}):
            scores = group.known_at(frames)
            if scores:
                table.append([group.game, group.label, *_row_at(frames, scores, group, read)])
    return table


def _row_at(
    frames: int, scores: list[float], group: GroupCurves, read: Mapping[int, Reading]
) -> list[str]:
    num, all_ = len(scores), len(group.trials)
    return [
        frames_text([frames]),
        f"{num}" if num == all_ else f"{num} of {all_}",
        f"{sum(scores) / num:,.1f}",
        ", ".join(f"{score:,.0f}" for score in scores),
        reading_text(read[frames]) if frames in read else "",
    ]


def reading_text(one: Reading) -> str:
    """The paper's score: a number or a range."""
    low, high = f"{one.low:,.0f}", f"{one.high:,.0f}"
    return low if low == high else f"{low}–{high}"


def _frames(rows: Sequence[Row]) -> str:
    """Frames of the shortest and of the longest run."""
    return frames_text([int(row["frames"]) for row in rows])


def evaluated_alike(rows: Sequence[Row]) -> list[Row]:
    """The trials to average: those evaluated after about the same number of frames.

    If there are several such sets, the one with most trials, then the one with most frames.
    """
    alike = defaultdict[str, list[Row]](list)
    for row in rows:
        if row["evaluation_mean"]:
            alike[f"{int(row['evaluation_frames']):.2g}"].append(row)
    return max(alike.values(), key=lambda one: (len(one), _evaluation_frames(one)), default=[])


def _evaluation_frames(rows: Sequence[Row]) -> int:
    return min(int(row["evaluation_frames"]) for row in rows)


class Evaluated(NamedTuple):
    """Evaluation scores of some trials; with one trial the interval is over its episodes."""

    mean: float
    low: float | None  # None where there is but one number
    high: float | None
    trials: int
    episodes: int  # of the first trial
    iqm: float
    least_frames: int  # of training before it


def evaluated(rows: Sequence[Row]) -> Evaluated | None:
    """What came of the evaluations of some trials; None if there are none."""
    done = evaluated_alike(rows)
    if not done:
        return None
    means = [float(row["evaluation_mean"]) for row in done]
    mean, low, high = bootstrap_mean(means)
    episodes = int(done[0]["evaluation_episodes"])
    ends: tuple[float | None, float | None] = (low, high)
    if len(done) == 1:
        ends = float(done[0]["evaluation_low"]), float(done[0]["evaluation_high"])
        ends = (None, None) if episodes == 1 else ends
    iqm, frames = interquartile_mean(means), _evaluation_frames(done)
    return Evaluated(mean, *ends, len(done), episodes, iqm, frames)


def _evaluated(rows: Sequence[Row]) -> list[str]:
    """Mean, interval, what the interval is over, IQM, and frames if training went further."""
    found = evaluated(rows)
    if found is None:
        return ["", "", "", "", ""]
    over = f"{found.trials} trials"
    if found.trials == 1:
        over = f"{found.episodes} episode{'s' * (found.episodes != 1)}"
    interval = "" if found.low is None else f"{found.low:,.1f} to {found.high:,.1f}"
    at = frames_text([int(row["evaluation_frames"]) for row in evaluated_alike(rows)])
    earlier = at if at != _frames(rows) else ""
    return [f"{found.mean:,.1f}", interval, over, f"{found.iqm:,.1f}", earlier]


def by_agent(ledger: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """The rows of each game and agent label."""
    found = defaultdict[tuple[str, str], list[Row]](list)
    for row in ledger:
        found[row["game"], label_of(row)].append(row)
    return dict(found)


def _report_of(row: Row) -> Report | None:
    """The paper's evaluation scores of this agent, whatever the preset."""
    for report in PAPER:
        is_same = report.system == agent_label(row) and has_usual_beta(row)
        if is_same and row["game"] in report.scores:
            return report
    return None


def _published(row: Row) -> list[str]:
    """The paper's score and frames for this agent; or empty."""
    report, game = _report_of(row), row["game"]
    if report is None:
        return ["", ""]
    return [_score(report.scores[game]), frames_text([paper_frames(game)])]


def _their_frames(report: Report, games: Iterable[str]) -> str:
    if report.frames is None:
        return ""
    shorter = ", Q*bert 80 M" if report in PAPER and "qbert" in games else ""
    return f"{report.frames / MILLION:,.0f} M{shorter}"


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:,.1f}".removesuffix(".0") if score else "0"


def _source(report: Report) -> str:
    return f"the paper, {report.source}" if report.source == "Table 1" else report.source
