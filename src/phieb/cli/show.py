"""`phieb show`."""

from dataclasses import dataclass

from rich.console import Console

from phieb.cli.options import RunFolder, check_run
from phieb.reports import runs as report
from phieb.training import Run


@dataclass
class Show:
    """Print the settings, the progress and the scores of a run.

    Example: phieb show runs/venture-phi-0
    """

    path: RunFolder

    def check(self) -> None:
        """Check that there is a run."""
        check_run(self.path)

    def run(self, console: Console) -> None:
        """Print everything."""
        for part in report.about(Run(self.path)):
            console.print(part)
