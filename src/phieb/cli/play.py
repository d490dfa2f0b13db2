"""`phieb play`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Checkpoint, RunFolder, check_file, check_run, progress_bar
from phieb.training import Run


@dataclass
class Play:
    """Film an episode of a trained agent.

    The film shows what is new to the agent: each blob as bright as it is new, new features in
    words, and curves of bonus and pseudocount. The agent does not learn (ε = 0.01).

    Example: phieb play runs/venture-phi-0 --out venture.mp4
    """

    path: RunFolder
    out: Annotated[
        Path | None,
        tyro.conf.arg(metavar="FILE", help_behavior_hint="(default: RUN/play.mp4)"),
    ] = None
    """Save the film here (.mp4). The report shows those in the folders of runs."""
    checkpoint: Checkpoint = None
    episode: int = 0
    """Number of the episode: each has another start."""

    def check(self) -> None:
        """Check all options before anything is run."""
        check_run(self.path)
        arguments.whole("--episode", self.episode)
        check_file("--out", self.film, (".mp4",))

    @property
    def film(self) -> Path:
        """Where the film is saved."""
        return Run(self.path).film if self.out is None else self.out

    def run(self, console: Console) -> None:
        """Play and save the film."""
        # Imported here: it takes a quarter of a second, which no other command needs.
        from phieb.evaluation.video import play

        run = Run(self.path)
        with progress_bar(console) as progress:
            task = progress.add_task("pictures", total=None)
            played = play(
                run,
                self.film,
                checkpoint=self.checkpoint,
                episode=self.episode,
                advance=lambda done: progress.update(task, completed=done),
            )
        console.print(
            f"score {played.score:,.6g} in {played.frames:,} {run.config().unit}\n"
            f"film: {self.film}",
            soft_wrap=True,
        )
