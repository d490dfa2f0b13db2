"""`phieb counts`."""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import check_file, progress_bar


@dataclass
class Counts:
    """Compare pseudocounts with true counts, in worlds where the true count is known."""

    seeds: int = 2
    """How many seeds: 0, 1, …"""
    steps: int = 8_000
    """How many observations each bonus counts."""
    out: Path | None = None
    """Where to save the figure (.png, .svg or .pdf)."""
    numbers: Annotated[Path | None, tyro.conf.arg(name="json")] = None
    """Where to save the numbers."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        arguments.whole("--seeds", self.seeds, low=1, high=1_000)
        arguments.whole("--steps", self.steps, low=100, high=100_000)
        if self.out is not None:
            check_file("--out", self.out, (".png", ".svg", ".pdf"))
        if self.numbers is not None:
            check_file("--json", self.numbers, (".json",))

    def run(self, console: Console) -> None:
        """Run it, with a progress bar."""
        from phieb.experiments.counts import measure as counts
        from phieb.reports import counts as report
        from phieb.reports.counts_figure import figure
        from phieb.reports.tables import table

        began = perf_counter()
        with progress_bar(console) as progress:
            task = progress.add_task("bonuses", total=counts.num_jobs(self.seeds))
            results = counts.run(self.seeds, self.steps, lambda: progress.advance(task))
        factors, new = report.titles(results)
        console.print(table(factors, report.factor_rows(results)))
        console.print(table(new, report.new_rows(results)))
        if self.numbers is not None:
            self.numbers.write_text(counts.to_json(results))
            console.print(f"numbers: {self.numbers}")
        if self.out is not None:
            figure(results, self.out)
            console.print(f"figure: {self.out}")
        console.print(f"{perf_counter() - began:.0f} s")
