"""`phieb evaluate`."""

from dataclasses import dataclass

from rich.console import Console

from phieb import arguments
from phieb.cli.options import Checkpoint, OptionalInt, RunFolder, check_run, progress_bar
from phieb.evaluation.evaluate import evaluate
from phieb.learning import AGENTS
from phieb.reports import runs as report
from phieb.training import Run


@dataclass
class Evaluate:
    """Evaluate a checkpoint of a run: frozen weights, ε = 0.01.

    The run may still be training. Prints the mean scores and writes all episodes to
    RUN/evaluation.json.

    Example: phieb evaluate runs/venture-phi-0 --episodes 100
    """

    path: RunFolder
    checkpoint: Checkpoint = None
    episodes: int = 500
    """Number of episodes; with a split value as many again on the value of r alone."""
    workers: OptionalInt = None
    """Number of processes; by default one for each core."""

    def check(self) -> None:
        """Check all options before anything is run."""
        check_run(self.path)
        arguments.whole("--episodes", self.episodes, low=1, high=1_000_000)
        if self.workers is not None:
            arguments.whole("--workers", self.workers, low=1, high=1_024)

    def run(self, console: Console) -> None:
        """Play with a progress bar, and print the mean scores."""
        run = Run(self.path)
        config = run.config()
        split = config.value == "split" and config.bonus != "none"
        kinds = 2 if split and not AGENTS.needs_extra(config.agent) else 1
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
