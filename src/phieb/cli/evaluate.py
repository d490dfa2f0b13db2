"""`phieb evaluate`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Count, progress_bar
from phieb.evaluation.evaluate import evaluate
from phieb.reports import runs as report
from phieb.training import Run


@dataclass
class Evaluate:
    """Play one checkpoint of a run, which may be training: no learning, no bonus, ε = 0.01."""

    path: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder of the run."""
    checkpoint: Count | None = None
    """Which, by its frames: the name of its folder in RUN/checkpoints; by default the newest."""
    episodes: int = 500
    """How many, with each of the values that the agent can act on."""
    workers: int | None = None
    """Processes; by default as many as there are cores."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        arguments.whole("--episodes", self.episodes, low=1, high=1_000_000)
        if self.workers is not None:
            arguments.whole("--workers", self.workers, low=1, high=1_024)

    def run(self, console: Console) -> None:
        """Play, with a progress bar, and print the means."""
        run = Run(self.path)
        kinds = 2 if run.config().value == "split" and run.config().bonus != "none" else 1
        with progress_bar(console) as progress:
            task = progress.add_task("episodes", total=self.episodes * kinds)
            results = evaluate(
                run,
                self.episodes,
                checkpoint=self.checkpoint,
                workers=self.workers,
                advance=lambda: progress.advance(task),
                warn=lambda text: progress.console.print(f"phieb: warning: {text}"),
            )
        console.print(report.evaluation_table(run, results))
        console.print(f"all episodes: {run.evaluation_file}", soft_wrap=True)
