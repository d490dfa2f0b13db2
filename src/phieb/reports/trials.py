"""Progress of trials: a table and a line, with an estimate of the time left."""

from collections.abc import Callable, Sequence
from time import monotonic

from rich.table import Table

from phieb.plain_text import visible
from phieb.reports.runs import mean_score, millions
from phieb.training import Run
from phieb.training.live_view import duration
from phieb.trials.scheduler import Progress


class Overview:
    """Describes trials under way; the time left follows from their progress since it was made.

    Args:
        clock: in seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._start: tuple[float, int] | None = None  # time and frames at the first call

    def table(self, everything: Sequence[Progress]) -> Table:
        """A row for each trial; all of them together in the caption."""
        unit = _unit(everything)
        table = Table("trial", "state", unit, "episodes", "score", f"{unit}/s", "")
        for one in everything:
            table.add_row(one.trial.path.name, one.state, *_cells(one), visible(one.problem))
        states = [one.state for one in everything]
        table.title = f"{states.count('done')} of {len(states)} trials done"
        score = "score: mean game score of the last hundred training episodes"
        table.caption = f"{self.overall(everything)}\n{score}"
        return table

    def line(self, everything: Sequence[Progress]) -> str:
        """How many trials are in each state, the overall progress, and that of running trials."""
        states = [one.state for one in everything]
        counted = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
        running = [
            f"{one.trial.path.name} {frames}, score {score}"
            for one in everything
            if one.state == "running"
            for frames, _, score, _ in [_cells(one)]
            if frames
        ]
        return "; ".join([f"trials: {counted}", self.overall(everything), *running])

    def overall(self, everything: Sequence[Progress]) -> str:
        """Share of all frames of training, and the time left."""
        frames = [_frames(one) for one in everything]
        total = sum(one.trial.config.frames for one in everything)
        todo = sum(
            one.trial.config.frames - reached
            for one, reached in zip(everything, frames, strict=True)
            if one.state in ("waiting", "running")
        )
        text = f"training: {sum(frames) / total:.0%} of {millions(total)} {_unit(everything)}"
        left = self._seconds_left(sum(frames), todo)
        return text if left is None else f"{text}, about {duration(left)} left"

    def _seconds_left(self, reached: int, todo: int) -> float | None:
        """None as long as no progress has been made, or where nothing is left to train."""
        now = self._clock()
        if self._start is None:
            self._start = now, reached
        began, before = self._start
        if reached <= before or not todo:
            return None
        return todo * (now - began) / (reached - before)


def _unit(everything: Sequence[Progress]) -> str:
    """What frames are called: steps, if no trial is of an Atari game."""
    return "frames" if any(one.trial.config.is_atari for one in everything) else "steps"


def _frames(one: Progress) -> int:
    """Frames of training so far; those of the current episode are not counted."""
    total = one.trial.config.frames
    if one.state == "done":
        return total
    episodes = Run(one.trial.path).last_episodes()
    return min(int(episodes[-1]["frames"]), total) if episodes else 0


def _cells(one: Progress) -> list[str]:
    """Frames, episodes, score and speed, for the table."""
    total = millions(one.trial.config.frames)
    episodes = Run(one.trial.path).last_episodes()
    if not episodes:
        return [total if one.state == "done" else "", "", "", ""]
    last, score = episodes[-1], mean_score(episodes)
    frames = total if one.state == "done" else f"{millions(last['frames'])} of {total}"
    speed = f"{last['frames_per_second']:,.0f}" if one.state == "running" else ""
    return [frames, f"{last['episode']:,}", f"{score:,.1f}", speed]
