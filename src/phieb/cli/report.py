"""`phieb report`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import tyro
from rich.console import Console

from phieb.cli.options import OptionalPath, once_each
from phieb.plain_text import visible

IN_FILES_ONLY = ("over", "IQM", "paper's frames")  # columns left out in a terminal


@dataclass
class Report:
    """Report on a folder of runs: tables, figures and an HTML page.

    The folder may hold one run or the trials of `compare`, `sweep` or `reproduce`. Tables are
    written as text, Markdown, CSV and LaTeX, figures as PNG, SVG and PDF.

    Example: phieb report reproduction --out report
    """

    path: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="DIR")]
    """Folder of the runs."""
    out: OptionalPath = None
    """Folder to write to; by default DIR/report."""
    mix: bool = False
    """Average runs with the same label even if their settings differ."""
    also: Annotated[
        tuple[str, ...],
        tyro.conf.arg(
            metavar="NAME=PATH",
            help="Agents of other programs, with their curves: a table (.csv) with columns frames, "
            "score and, if need be, seed and game; or monitor files of Stable-Baselines3 (a file, "
            "a folder of one seed, or a folder of such folders).",
            help_behavior_hint="",
        ),
    ] = ()

    def check(self) -> None:
        """Check all options before anything is read."""
        if not self.path.is_dir():
            raise ValueError(f"DIR must be a folder of runs, got {self.path}")
        if self.out is not None and self.out.exists() and not self.out.is_dir():
            raise ValueError(f"--out must be a folder, got {self.out}")
        for text in self.also:
            label, _, path = text.partition("=")
            if not label or not path or not Path(path).exists():
                raise ValueError(f"--also must be NAME=PATH of what is there, got {text}")
        self._others()

    def run(self, console: Console) -> None:
        """Write the report and print its main tables."""
        out = self.out or self.path / "report"
        write_and_print_report(console, self.path, out, mix=self.mix, others=self._others())

    def _others(self) -> dict[str, Path]:
        """Names and paths of agents of other programs."""
        pairs = [text.partition("=") for text in self.also]
        names = once_each("--also", " ".join(self.also), [name for name, _, _ in pairs])
        return {name: Path(path) for name, (_, _, path) in zip(names, pairs, strict=True)}


def write_and_print_report(
    console: Console,
    folder: Path,
    out: Path,
    *,
    mix: bool = False,
    others: Mapping[str, Path] = MappingProxyType({}),
) -> None:
    """Write a report on a folder of runs; print the scores and the files' paths."""
    # Imported here: it takes a second, which no other command needs.
    from phieb.reports.groups import read_runs
    from phieb.reports.other_programs import read_other
    from phieb.reports.report import FIGURE_1, SCORES, tables_of, write_report
    from phieb.reports.tables import table, without
    from phieb.worlds.still import still

    runs = read_runs(folder, mix=mix)
    games, left_out = list(runs.games()), list(runs.left_out)
    curves = [
        one
        for name, path in others.items()
        for one in read_other(name, path, games, left_out.append)
    ]
    page, *_ = write_report(runs, out, still, curves)
    tables = tables_of(runs, others=curves)
    for title in (SCORES, FIGURE_1):
        if title in tables:
            console.print(table(title, without(IN_FILES_ONLY, tables[title])))
    for line in left_out:
        console.print(f"left out: {visible(line)}", soft_wrap=True)
    console.print(f"figure: {out / 'figure-1.png'}\npage: {page}", soft_wrap=True)
