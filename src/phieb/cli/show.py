"""`phieb show`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb.reports import runs as report
from phieb.training import Run


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
