"""`phieb resume`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Count
from phieb.cli.watching import check_tensorboard, say_result, watching
from phieb.training import resume


@dataclass
class Resume:
    """Go on with a run that was stopped, crashed or killed: exactly as if it had not been."""

    path: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder of the run."""
    frames: Count | None = None
    """Train up to another number of frames than before."""
    quiet: bool = False
    """Show warnings only."""
    tensorboard: bool = False
    """Write scalars for TensorBoard too."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is written."""
        if self.frames is not None:
            arguments.whole("--frames", self.frames, low=1)
        if self.tensorboard:
            check_tensorboard()

    def run(self, console: Console) -> None:
        """Go on, and say what came of it."""
        with watching(console, self.path, self.quiet, self.tensorboard) as watch:
            run = resume(self.path, watch, frames=self.frames)
        say_result(console, run, self.quiet)
