"""`phieb runs`."""

from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console

from phieb.cli.options import check_file
from phieb.reports import ledger
from phieb.reports import runs as report
from phieb.training import RunError


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
