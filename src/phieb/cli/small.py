"""`phieb small`."""

import json
from dataclasses import dataclass
from time import perf_counter

from rich.console import Console

from phieb import arguments
from phieb.cli.options import FigureFile, NumbersFile, check_outputs, progress_bar
from phieb.files import writing


@dataclass
class Small:
    """Run every agent on the small worlds.

    These are RiverSwim, SixArms, a bandit, Deep Sea and a square plane. Prints tables of total
    reward, of episodes to solve Deep Sea and of cells visited in the plane.

    Example: phieb small --seeds 20 --out small.png --json small.json
    """

    seeds: int = 100
    """Seeds for each agent, from 0; in Deep Sea a fifth as many, in the plane a twentieth."""
    out: FigureFile = None
    numbers: NumbersFile = None
    search: bool = False
    """Only repeat the search for each agent's settings (separate seeds) and print them."""

    def check(self) -> None:
        """Check all options before anything is run."""
        arguments.whole("--seeds", self.seeds, low=2, high=1_000)
        check_outputs(self.out, self.numbers)

    def run(self, console: Console) -> None:
        """Run all agents with a progress bar; print and save the results."""
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
            writing.write(self.numbers, json.dumps(results, indent=1) + "\n")
            console.print(f"numbers: {self.numbers}", soft_wrap=True)
        if self.out is not None:
            report.figure(results, self.out)
            console.print(f"figure: {self.out}", soft_wrap=True)
        console.print(f"{perf_counter() - began:.0f} s")

    def _search(self, console: Console) -> None:
        from phieb.experiments.small_worlds import plan as small_plan
        from phieb.experiments.small_worlds import search as small_search

        with progress_bar(console) as progress:
            task = progress.add_task("settings", total=small_search.num_jobs())
            chosen = small_search.search(lambda: progress.advance(task))
        for entry in chosen:
            now = "as in the plan" if entry in small_plan.CHOSEN else "DIFFERS from the plan"
            setting = ", ".join(f"{name} {value:g}" for name, value in entry.setting().items())
            console.print(f"{entry.world}, {entry.agent}: {setting} ({now})", soft_wrap=True)
