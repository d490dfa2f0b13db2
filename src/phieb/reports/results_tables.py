"""Tables of the committed results: scores in training and evaluation, rooms, growth and hours."""

from collections.abc import Iterable, Mapping, Sequence

from phieb.experiments.paper import MILLION
from phieb.reports.curve_files import MemorySample
from phieb.reports.curves import GroupCurves, TrialCurves, frames_text
from phieb.reports.ledger import Row, trial_of
from phieb.reports.paper import MARKS
from phieb.reports.table_1 import by_agent, evaluated_alike
from phieb.reports.tables import Rows, without_empty

Trials = Mapping[tuple[str, ...], TrialCurves]
GROWTH = (MILLION, *MARKS)  # frames at which growth is shown
GROWING = ("observed", "frames_per_second")


def evaluation_rows(ledger: Sequence[Row], groups: Iterable[GroupCurves]) -> Rows:
    """Scores in training and in evaluation, after the same number of frames."""
    trials = {trial_of(trial.row): trial for group in groups for trial in group.trials}
    header = ["game", "agent", "trials", "frames", "training"]
    table = [[*header, "evaluation, behaviour value", "evaluation, extrinsic value"]]
    for (game, label), rows in by_agent(ledger).items():
        done = evaluated_alike(rows)
        if done:
            training = [training_score(row, trials) for row in done]
            frames = frames_text([int(row["evaluation_frames"]) for row in done])
            kinds = [[row[kind] for row in done] for kind in ("behaviour", "extrinsic")]
            cells = [_mean(values) for values in (training, *kinds)]
            table.append([game, label, str(len(done)), frames, *cells])
    return without_empty(table)


def training_score(row: Row, trials: Trials) -> str:
    """The training score at the time of the evaluation; empty if it is not known any more.

    It is not known if training was resumed after the evaluation and no curves were kept.
    """
    if row["evaluation_frames"] == row["frames"]:
        return row["score"]
    found = trials.get(trial_of(row))
    score = found.known_at(int(row["evaluation_frames"])) if found else None
    return "" if score is None else str(score)


def rooms_rows(groups: Iterable[GroupCurves]) -> Rows:
    """A row for each trial in a game with rooms: when it had visited how many, and which."""
    table = [["agent", "seed", "frames", "rooms", "which", "share of decisions in the first"]]
    for group in groups:
        for trial in group.trials:
            if trial.visits:
                which = ", ".join(str(room) for room in sorted(trial.visits))
                share = trial.visits.get(1, 0) / sum(trial.visits.values())
                first = [group.label, trial.row["seed"], frames_text([trial.reached])]
                table.append([*first, str(len(trial.visits)), which, f"{100 * share:.0f} %"])
    return table


def growth_rows(groups: Iterable[GroupCurves], samples: Iterable[MemorySample]) -> Rows:
    """Observed features, memory and speed of each trial at some numbers of frames.

    The memory is that of the last sample up to there, if it is not older than a tenth of them.
    """
    header = ["game", "agent", "seed", "frames", "observed features", "resident memory"]
    table = [[*header, "frames per second"]]
    memory = dict[tuple[str, ...], list[tuple[int, float]]]()
    for sample in samples:
        point = int(sample["frames"]), float(sample["megabytes"])
        memory.setdefault(trial_of(sample), []).append(point)
    for group in groups:
        for trial in group.trials:
            mine = memory.get(trial_of(trial.row), [])
            for frames in (at for at in GROWTH if at <= trial.reached):
                which = [group.game, group.label, trial.row["seed"], frames_text([frames])]
                observed, speed = (_whole(trial.known_at(frames, what)) for what in GROWING)
                cells = [observed, _memory_at(frames, mine), speed]
                table += [[*which, *cells]] if any(cells) else []
    return without_empty(table)


def _memory_at(frames: int, samples: Iterable[tuple[int, float]]) -> str:
    near = [(at, size) for at, size in samples if 0.9 * frames <= at <= frames]
    return f"{max(near)[1]:,.0f} MB" if near else ""


def _whole(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def hours_rows(ledger: Sequence[Row]) -> Rows:
    """Core hours: frames divided by frames per second, summed over trials; the total last."""
    table, total = [["game", "agent", "trials", "frames", "hours"]], 0.0
    for (game, label), rows in by_agent(ledger).items():
        hours = sum(map(_hours, rows))
        total += hours
        frames = frames_text([sum(int(row["frames"]) for row in rows)])
        table.append([game, label, str(len(rows)), frames, f"{hours:,.1f}"])
    frames = frames_text([sum(int(row["frames"]) for row in ledger)])
    return [*table, ["all", "", str(len(ledger)), frames, f"{total:,.1f}"]]


def _hours(row: Row) -> float:
    speed = float(row["frames_per_second"] or 0)
    return int(row["frames"]) / speed / 3_600 if speed else 0.0


def _mean(values: Sequence[str]) -> str:
    """The mean; empty if any value is missing."""
    numbers = [float(value) for value in values if value]
    return f"{sum(numbers) / len(numbers):,.1f}" if len(numbers) == len(values) else ""
