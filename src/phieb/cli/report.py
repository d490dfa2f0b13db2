"""`phieb report`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

IN_FILES_ONLY = ("over", "IQM", "paper's frames")  # columns that a terminal has no room for


@dataclass
class Report:
    """Figure 1, Table 1 and a page from a folder of runs: one run, a sweep, a reproduction."""

    path: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="DIR")]
    """The folder of the runs."""
    out: Path | None = None
    """Where to write; by default DIR/report."""
    mix: bool = False
    """Put runs of one label (agent, β, preset or "own settings") in one curve, whatever differs."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is read."""
        if not self.path.is_dir():
            raise ValueError(f"DIR must be a folder of runs, got {self.path}")
        if self.out is not None and self.out.exists() and not self.out.is_dir():
            raise ValueError(f"--out must be a folder, got {self.out}")

    def run(self, console: Console) -> None:
        """Read, write, and say what there is to see."""
        say_report(console, self.path, self.out or self.path / "report", mix=self.mix)


def say_report(console: Console, folder: Path, out: Path, *, mix: bool = False) -> None:
    """Report on a folder: its scores, and where the files are."""
    # Imported here: a second that no other command needs to wait for.
    from phieb.reports.groups import read_study
    from phieb.reports.report import FIGURE_1, SCORES, tables_of, write_report
    from phieb.reports.tables import table, without
    from phieb.worlds.still import still

    study = read_study(folder, mix=mix)
    page, *_ = write_report(study, out, still)
    tables = tables_of(study)
    for title in (SCORES, FIGURE_1):
        if title in tables:
            console.print(table(title, without(IN_FILES_ONLY, tables[title])))
    for line in study.left_out:
        console.print(f"left out: {line}", soft_wrap=True)
    console.print(f"figure: {out / 'figure-1.png'}\npage: {page}", soft_wrap=True)
