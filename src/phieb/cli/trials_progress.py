"""Progress of trials: a live table in a terminal, lines elsewhere."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.live import Live

from phieb.reports.trials import Overview
from phieb.trials.scheduler import Backend, Progress, run_all
from phieb.trials.trial import Trial

CALLS_PER_LINE = 60  # `run_all` calls twice a second


def run_with_progress(todo: Sequence[Trial], backend: Backend, console: Console) -> list[Progress]:
    """Run all trials and print their progress; returns the state of each at its end."""
    if not console.is_terminal:
        return run_all(todo, backend, _Lines(console).update)
    overview = Overview()
    with Live(console=console, auto_refresh=False) as live:
        return run_all(
            todo,
            backend,
            lambda everything: live.update(overview.table(everything), refresh=True),
        )


class _Lines:
    """Prints a line every half minute, and one whenever a trial is retried."""

    def __init__(self, console: Console) -> None:
        self._console, self._overview, self._calls = console, Overview(), 0
        self._attempts: dict[Path, int] = {}

    def update(self, everything: list[Progress]) -> None:
        """Called twice a second with the state of all trials."""
        if self._calls % CALLS_PER_LINE == 0:
            self._console.print(self._overview.line(everything), soft_wrap=True)
        self._calls += 1
        for one in everything:
            if one.attempts > 1 and one.attempts != self._attempts.get(one.trial.path):
                retry = f"{one.trial.path.name}: tried again: {one.problem}"
                self._console.print(retry, soft_wrap=True)
            self._attempts[one.trial.path] = one.attempts
