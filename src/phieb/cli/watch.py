"""`phieb watch`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments


@dataclass
class Watch:
    """Show the report on runs live in a browser, while they train.

    The page has the curves, and of one run the last screens before its newest checkpoint, lit by
    novelty. It can be seen on this machine only, at the address printed, until Ctrl-C. Nothing is
    written, and the runs are not disturbed.

    Example: phieb watch reproduction
    """

    path: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="DIR|RUN")]
    """Folder of runs, or of one run."""
    port: int = 0
    """Port of the page; 0 for any that is free."""

    def check(self) -> None:
        """Check all options before anything is read."""
        if not self.path.is_dir():
            raise ValueError(f"DIR must be a folder of runs, got {self.path}")
        arguments.whole("--port", self.port, low=0, high=65_535)

    def run(self, console: Console) -> None:
        """Serve the page until Ctrl-C."""
        # Imported here: it takes a second, which no other command needs.
        from phieb.signals import StoppedError, stopping
        from phieb.watching.watcher import Watcher

        watcher = Watcher(self.path, self.port)
        console.print(f"live page: {watcher.server.address}\nCtrl-C stops", soft_wrap=True)
        with stopping() as stop:
            watcher.serve(stop)
            raise StoppedError("stopped", stop.signal)
