"""Looking on while a run goes on: a live view on a terminal, plain lines elsewhere."""

import math
from collections import deque
from itertools import pairwise
from time import monotonic
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from phieb.kernels.numba_support.jit import is_compiled, is_kept
from phieb.learning import CompiledLearner
from phieb.training.newest import Newest
from phieb.training.training import Training

REDRAWN_EVERY = 0.5  # seconds, on a terminal
LINE_EVERY = 10.0  # seconds, elsewhere
DECISIONS_A_LOOK = 64  # between two looks at the clock
LAST = 100  # episodes that a mean is over
_BARS = "▁▂▃▄▅▆▇█"


class Screen:
    """What is known of a run under way, and its two forms: a panel and a line."""

    def __init__(self, training: Training, episodes: list[dict[str, Any]]) -> None:
        self.training = training
        self.means: list[float] = []  # of the last hundred scores, after each episode
        self.last = deque[float](maxlen=LAST)
        self.bonuses: list[float] = []  # a decision, of each episode
        self.best, self.rooms = -math.inf, set[str]()
        self._newest = Newest(training.learner)
        self.line: dict[str, Any] = {}
        for line in episodes:
            self.add(line)
        self.looks = deque[tuple[float, int]](maxlen=10)

    def add(self, line: dict[str, Any]) -> None:
        """One more episode."""
        self.line = line
        self.last.append(line["score"])
        self.means.append(sum(self.last) / len(self.last))
        config = self.training.config
        skip = config.frame_skip if config.is_atari else 1
        self.bonuses.append(line["bonus"] * skip / max(line["length"], 1))
        self.best = max(self.best, line["score"])
        self.rooms.update(line.get("rooms", ()))

    def speed(self) -> float:
        """Frames a second, lately."""
        self.looks.append((monotonic(), self.training.frames))
        (then, before), (now, frames) = self.looks[0], self.looks[-1]
        return (frames - before) / max(now - then, 1e-9)

    def facts(self) -> list[tuple[str, str]]:
        """Names and values, in the order they are shown in."""
        training, speed, line = self.training, self.speed(), self.line
        left = (training.config.frames - training.frames) / max(speed, 1e-9)
        facts = [
            (f"{training.config.unit}/s", f"{speed:,.0f}" if speed else "–"),
            ("time left", duration(left) if speed else "–"),
            ("episodes", f"{len(self.means):,}"),
            (f"score (last {LAST})", f"{self.means[-1]:,.1f}" if self.means else "–"),
            ("best score", f"{self.best:,.0f}" if self.means else "–"),
        ]
        if line and training.learner.bonus is not None:
            facts += [
                ("bonus a decision", f"{self.bonuses[-1]:.4f}"),
                ("pseudocount", f"{line['pseudocount']:,.1f}"),
            ]
        facts += [
            ("features active", f"{training.decision.num_active:,}"),
            ("features observed", f"{training.learner.agent.num_observed:,}"),
        ]
        rooms = sorted(self.rooms | {str(room) for room in training.rooms}, key=int)
        return [*facts, ("rooms visited", rooms_text(rooms))] if rooms else facts

    def plain(self) -> str:
        """The facts in a line."""
        training = self.training
        share = training.frames / training.config.frames
        facts = ", ".join(f"{name}: {value}" for name, value in self.facts() if value != "–")
        return f"{training.frames:>12,} {training.config.unit} {share:4.0%}  {facts}"

    def panel(self) -> RenderableType:
        """The facts in a frame."""
        training, config = self.training, self.training.config
        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right", style="dim")
        table.add_column()
        done = f"{training.frames:,} of {config.frames:,}, {training.frames / config.frames:.1%}"
        table.add_row(config.unit, done)
        bar = ProgressBar(config.frames, training.frames, width=50)
        bar.complete_style = bar.finished_style = "green"
        table.add_row("", bar)
        for name, value in self.facts():
            row = Text(value)
            for of, values in (("score", self.means), ("bonus", self.bonuses)):
                if name.startswith(of):
                    row.append(f"  {sparkline(values, 40)}", style="green")
            table.add_row(name, row)
        for number, words in enumerate(self._newest.look()):
            line = Text(words, no_wrap=True, overflow="ellipsis")
            table.add_row("" if number else "new features", line)
        title = f"{config.game}, {config.label}, seed {config.seed}"
        return Panel(Group(table), title=title, title_align="left", expand=False)


class LiveWatch:
    """Shows a run on a terminal or, where there is none, a line now and then.

    Args:
        console: where to.
        quiet: show warnings only.
    """

    def __init__(self, console: Console, quiet: bool = False) -> None:
        self.console, self.quiet = console, quiet
        self._screen: Screen | None = None
        self._live: Live | None = None
        self._decisions, self._next = 0, 0.0

    def begin(self, training: Training, episodes: list[dict[str, Any]]) -> None:
        """The run starts or goes on."""
        if self.quiet:
            return
        compiled = isinstance(training.learner, CompiledLearner)
        if not is_compiled("learn_from_screen" if compiled else "learn"):
            once = ", this once" if is_kept() else ""
            self.console.print(f"compiling{once}: about a minute")
        if training.config.features == "auto":
            features = training.learner.features
            self.console.print(f"features: {features}", soft_wrap=True, highlight=False)
        if training.decisions:
            at = f"{training.config.unit[:-1]} {training.frames:,}"
            self.console.print(f"resumed at {at}")
        self._screen = Screen(training, episodes)
        if self.console.is_terminal:
            self._live = Live(self._screen.panel(), console=self.console, auto_refresh=False)
            self._live.start()

    def decision(self) -> None:
        """A decision was made: look at the clock now and then."""
        self._decisions += 1
        if self._decisions % DECISIONS_A_LOOK == 0 and monotonic() >= self._next:
            self._show()

    def episode(self, line: dict[str, Any]) -> None:
        """An episode is over."""
        if self._screen is not None:
            self._screen.add(line)

    def warn(self, text: str) -> None:
        """Said at once, also when quiet."""
        self.console.print(f"phieb: warning: {text}", style="yellow", soft_wrap=True)

    def end(self) -> None:
        """Leave the last state on the screen."""
        if self._screen is not None:
            self._show()
        if self._live is not None:
            self._live.stop()

    def _show(self) -> None:
        if self._screen is None:
            return
        if self._live is not None:
            self._live.update(self._screen.panel(), refresh=True)
            self._next = monotonic() + REDRAWN_EVERY
        else:
            self.console.print(self._screen.plain(), soft_wrap=True, highlight=False)
            self._next = monotonic() + LINE_EVERY


def sparkline(values: list[float], width: int) -> str:
    """The course of some values in a row of bars; each is a mean if there are more than fit."""
    if not values:
        return ""
    count = min(width, len(values))
    cuts = [len(values) * k // count for k in range(count + 1)]
    means = [sum(values[a:b]) / (b - a) for a, b in pairwise(cuts)]
    low, high = min(means), max(means)
    top = len(_BARS) - 1
    return "".join(_BARS[round((v - low) / (high - low) * top) if high > low else 0] for v in means)


def rooms_text(rooms: list[str]) -> str:
    """How many rooms, and which.

    Example:
        >>> rooms_text(["0", "1", "2"]), rooms_text(["1"])
        ('3 (0, 1, 2)', '1 (1)')
    """
    return f"{len(rooms)} ({', '.join(rooms)})"


def duration(seconds: float) -> str:
    """Hours, minutes and seconds, the two largest of them."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
