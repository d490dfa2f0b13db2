"""`phieb small`."""

import json
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import check_file, progress_bar


@dataclass
class Small:
    """Run every agent on the small worlds and print the tables."""

    seeds: int = 100
    """How many seeds each agent lives with; in Deep Sea a fifth, in the plane a twentieth."""
    out: Path | None = None
    """Where to save the figure (.png, .svg or .pdf)."""
    numbers: Annotated[Path | None, tyro.conf.arg(name="json")] = None
    """Where to save the numbers."""
    search: bool = False
    """Instead: choose all settings again, on seeds of their own, and print them."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        arguments.whole("--seeds", self.seeds, low=2, high=1_000)
        if self.out is not None:
            check_file("--out", self.out, (".png", ".svg", ".pdf"))
        if self.numbers is not None:
            check_file("--json", self.numbers, (".json",))

    def run(self, console: Console) -> None:
        """Run it, with a progress bar."""
        if self.search:
            self._search(console)
            return
        from phieb.experiments.small_worlds import run as small
        from phieb.reports import small as report
        from phieb.reports.tables import table

        began = perf_counter()
        with progress_bar(console) as progress:
            task = progress.add_task("runs", total=small.num_jobs(self.seeds))
            results = small.run(self.seeds, lambda: progress.advance(task))
        rewards, sea, plane = report.titles(results)
        console.print(table(rewards, report.reward_rows(results)))
        console.print(table(sea, report.deep_sea_rows(results)))
        console.print(table(plane, report.plane_rows(results)))
        if self.numbers is not None:
            self.numbers.write_text(json.dumps(results, indent=1) + "\n")
            console.print(f"numbers: {self.numbers}")
        if self.out is not None:
            report.figure(results, self.out)
            console.print(f"figure: {self.out}")
        console.print(f"{perf_counter() - began:.0f} s")

    def _search(self, console: Console) -> None:
        from phieb.experiments.small_worlds import plan as small_plan
        from phieb.experiments.small_worlds import search as small_search

        with progress_bar(console) as progress:
            task = progress.add_task("settings", total=small_search.num_jobs())
            chosen = small_search.search(lambda: progress.advance(task))
        for entry in chosen:
            now = "as planned" if entry in small_plan.CHOSEN else "NOT as planned"
            setting = ", ".join(f"{name} {value:g}" for name, value in entry.setting().items())
            console.print(f"{entry.world}, {entry.agent}: {setting} ({now})", soft_wrap=True)
