"""`phieb play`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Count, check_file, progress_bar
from phieb.training import Run


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
        from phieb.evaluation.video import play

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
