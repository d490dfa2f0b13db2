"""`phieb runs`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb.cli.options import OptionalPath, check_file
from phieb.reports import ledger
from phieb.reports import runs as report
from phieb.reports.tables import fitted, write_csv

# Columns left out first where the terminal is narrow: the run's name has most of them.
DISPENSABLE = ("preset", "seed", "game", "rooms", "best", "agent", "evaluated")


@dataclass
class Runs:
    """Print a table of all runs in a folder and its subfolders.

    In a narrow terminal it leaves out columns; --csv always has all of them.

    Example: phieb runs reproduction --csv runs.csv
    """

    path: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="[DIR]")] = Path("runs")
    """Folder of the runs."""
    csv: OptionalPath = None
    """Save the table with more columns here (.csv)."""

    def check(self) -> None:
        """Check all options before anything is read."""
        if not self.path.is_dir():
            raise ValueError(f"DIR must be a folder of runs, got {self.path}")
        if self.csv is not None:
            check_file("--csv", self.csv, (".csv",))

    def run(self, console: Console) -> None:
        """Print the table."""
        table, unreadable = report.all_runs(self.path)
        console.print(fitted(table, console, DISPENSABLE))
        for problem in unreadable:
            console.print(problem, style="red", soft_wrap=True)
        if self.csv is not None:
            rows = ledger.named_rows_of(self.path)
            write_csv(rows, (*ledger.NAMES, *ledger.COLUMNS), self.csv)
            console.print(f"table: {self.csv}", soft_wrap=True)
