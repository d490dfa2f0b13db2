"""`phieb bench`."""

import json
import os
import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from rich.console import Console

from phieb import arguments
from phieb.cli.options import Counts, FigureFile, NumbersFile, Screen, check_outputs, words
from phieb.experiments.paper import GAMES
from phieb.files import writing
from phieb.novelty import BONUSES
from phieb.training import Run, preset


@dataclass
class Bench:
    """Measure the speed of training relative to the emulator alone.

    Prints frames per second of each agent and of the emulator, and the microseconds that a
    decision takes in each part: emulator, screen, blobs, density, values and so on.

    Example: phieb bench --games venture --frames 100k,1M --out bench.png
    """

    games: str = ",".join(GAMES)
    """Games, separated by commas; "" to measure only the runs of --trained."""
    frames: Counts = (100_000,)
    """Frames of training before each measurement: 100k,1M measures at both."""
    bonuses: str = "none,phi"
    """Bonuses, separated by commas; "product" is φ-EB with the paper's product of densities."""
    trained: str = ""
    """Folders of runs, separated by commas: also measure these, from their newest checkpoints."""
    screen: Screen = "last"
    """Screen that the agents see; the emulator alone always shows the last frame."""
    slices: int = 60
    """Number of measurements, each over 100 decisions; at least 4."""
    out: FigureFile = None
    numbers: NumbersFile = None

    def check(self) -> None:
        """Check all options before anything is run."""
        for game in self._games():
            preset("default", game, screen=self.screen)
        self._agents()
        if not self._games() and not self._trained():
            raise ValueError("--games or --trained must name something to measure, got nothing")
        for path in self._trained():
            _check_trained(path)
        arguments.whole("--slices", self.slices, low=4, high=100_000)
        check_outputs(self.out, self.numbers)

    def _agents(self) -> list[str]:
        from phieb.benchmarking.bench import AGENTS

        return words("--bonuses", self.bonuses, tuple(AGENTS))

    def _games(self) -> list[str]:
        return [game for game in self.games.split(",") if game]

    def _trained(self) -> list[str]:
        return [path for path in self.trained.split(",") if path]

    def run(self, console: Console) -> None:
        """Measure game by game, and print and save the results."""
        from phieb.benchmarking.bench import bench, bench_run
        from phieb.reports import bench as report

        results: list[dict[str, Any]] = []
        with console.status("") as status:
            for game in self._games():
                if not console.is_terminal:
                    console.print(f"{game}: training and measuring")
                config = preset("default", game, seed=1, screen=self.screen)
                results += bench(
                    config,
                    self.frames,
                    self.slices,
                    self._agents(),
                    lambda activity, reached: status.update(f"{activity}, {reached:,}"),
                )
            for path in self._trained():
                status.update(f"{path}: measuring")
                results.append(bench_run(Run(path), self.slices))
        for table in report.tables(results):
            console.print(table)
        if self.numbers is not None:
            numbers = json.dumps({"machine": machine(), "games": results}, indent=1)
            writing.write(self.numbers, numbers)
            console.print(f"numbers: {self.numbers}", soft_wrap=True)
        if self.out is not None:
            report.figure(results, self.out)
            console.print(f"figure: {self.out}", soft_wrap=True)


def _check_trained(path: str) -> None:
    run = Run(path)
    if not run.exists():
        raise ValueError(f"--trained must be folders of runs, got {path} (no config.json)")
    config = run.config()
    if not config.is_atari or config.bonus not in BONUSES:
        what = f"{config.game}, bonus {config.bonus}"
        raise ValueError(f"--trained must be Atari runs with built-in parts, got {path} ({what})")


def machine() -> dict[str, Any]:
    """The machine and the versions that the numbers depend on."""
    packages = ("phieb", "ale-py", "numba", "numpy")
    return {
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }
