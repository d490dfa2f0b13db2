"""`phieb evaluate`, `play`, `show` and `runs`: looking at what was trained."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Count, check_file, progress_bar
from phieb.reports import ledger
from phieb.reports import runs as report
from phieb.runs import Run, RunError
from phieb.runs.evaluate import evaluate


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


@dataclass
class Play:
    """Film an episode of the trained agent, with its score and a curve of the bonus."""

    path: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder of the run."""
    out: Path = Path("play.mp4")
    """Where to save the film (.mp4)."""
    checkpoint: Count | None = None
    """Which, by its frames: the name of its folder in RUN/checkpoints; by default the newest."""
    episode: int = 0
    """Which: another number is another start of the game."""
    novelty: bool = False
    """Frame the blobs whose features were seen least often."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        arguments.whole("--episode", self.episode)
        check_file("--out", self.out, (".mp4",))

    def run(self, console: Console) -> None:
        """Play and film."""
        # Imported here: a quarter of a second that no other command needs to wait for.
        from phieb.runs.play import play

        with progress_bar(console) as progress:
            task = progress.add_task("pictures", total=None)
            played = play(
                Run(self.path),
                self.out,
                checkpoint=self.checkpoint,
                episode=self.episode,
                novelty=self.novelty,
                advance=lambda done, total: progress.update(task, completed=done, total=total),
            )
        console.print(
            f"score {played.score:,.0f} in {played.frames:,} frames\nfilm: {self.out}",
            soft_wrap=True,
        )


@dataclass
class Show:
    """Print what a run is, how far it is, and how it scored."""

    path: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder of the run."""

    def check(self) -> None:
        """Nothing, before the run is read."""

    def run(self, console: Console) -> None:
        """Print it."""
        for part in report.about(Run(self.path)):
            console.print(part)


@dataclass
class Runs:
    """Print a table of all runs in a folder and its folders."""

    path: tyro.conf.Positional[Path] = Path("runs")
    """Where to look."""
    csv: Path | None = None
    """Where to save the table, with more columns (.csv)."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is read."""
        if not self.path.is_dir():
            raise ValueError(f"no such folder: {self.path}")
        if self.csv is not None:
            check_file("--csv", self.csv, (".csv",))

    def run(self, console: Console) -> None:
        """Print it."""
        console.print(report.all_runs(self.path))
        if self.csv is not None:
            rows = [row for row in ledger.rows_of(self.path) if not isinstance(row, RunError)]
            ledger.write(rows, self.csv)
            console.print(f"table: {self.csv}", soft_wrap=True)
