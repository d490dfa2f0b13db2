"""`phieb counts`."""

from dataclasses import dataclass
from time import perf_counter

from rich.console import Console

from phieb import arguments
from phieb.cli.options import FigureFile, NumbersFile, check_outputs, progress_bar
from phieb.files import writing


@dataclass
class Counts:
    """Compare pseudocounts with true counts.

    Runs in small worlds, where the true count is known. Prints the factor of bias and the rank
    correlation of each estimate, and the estimates for new observations.

    Example: phieb counts --seeds 2 --out counts.png --json counts.json
    """

    seeds: int = 2
    """Number of seeds, from 0."""
    steps: int = 8_000
    """Number of observations that each bonus counts."""
    out: FigureFile = None
    numbers: NumbersFile = None

    def check(self) -> None:
        """Check all options before anything is run."""
        arguments.whole("--seeds", self.seeds, low=1, high=1_000)
        arguments.whole("--steps", self.steps, low=100, high=100_000)
        check_outputs(self.out, self.numbers)

    def run(self, console: Console) -> None:
        """Run the comparison with a progress bar; print and save the results."""
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
            writing.write(self.numbers, counts.to_json(results))
            console.print(f"numbers: {self.numbers}", soft_wrap=True)
        if self.out is not None:
            figure(results, self.out)
            console.print(f"figure: {self.out}", soft_wrap=True)
        console.print(f"{perf_counter() - began:.0f} s")
