"""`phieb resume`."""

from dataclasses import dataclass

from rich.console import Console

from phieb import arguments
from phieb.cli.options import OptionalCount, RunFolder, check_run
from phieb.cli.run_output import check_tensorboard, live_view, print_result
from phieb.training import resume


@dataclass
class Resume:
    """Resume a run that was stopped, crashed or killed.

    The result is identical to that of a run that was never interrupted.

    Example: phieb resume runs/venture-phi-0 --frames 20M
    """

    path: RunFolder
    frames: OptionalCount = None
    """Train up to this number of frames instead of the one the run began with."""
    quiet: bool = False
    """Print warnings only."""
    tensorboard: bool = False
    """Write scalars for TensorBoard too."""

    def check(self) -> None:
        """Check all options before anything is written."""
        check_run(self.path)
        if self.frames is not None:
            arguments.whole("--frames", self.frames, low=1)
        if self.tensorboard:
            check_tensorboard()

    def run(self, console: Console) -> None:
        """Resume training, and print the result."""
        with live_view(console, self.path, self.quiet, self.tensorboard) as watch:
            run = resume(self.path, watch, frames=self.frames)
        print_result(console, run, self.quiet)
