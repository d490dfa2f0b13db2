"""`phieb bench`."""

import json
import os
import platform
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Counts, check_file, words
from phieb.training import Run, preset

GAMES = "montezuma_revenge,venture,frostbite,qbert,freeway"


@dataclass
class Bench:
    """Measure how fast training is beside the emulator alone, and what a decision costs."""

    games: str = GAMES
    """Games, separated by commas; "" for none but those of --trained."""
    frames: Counts = (100_000,)
    """How far to train each agent before it is measured; 100k,1M,5M measures as it goes on."""
    bonuses: str = "none,phi"
    """Separated by commas; "product" is φ-EB with the paper's count. With one alone, MB is the
    memory that its training takes. What a bonus costs, with its map if it has one of its own, is in
    the part "density"."""
    trained: str = ""
    """Folders of runs, separated by commas: measure these agents too, where their runs are."""
    screen: Literal["last", "blend"] = "last"
    """What the agents see. The emulator beside them always shows the last frame."""
    slices: int = 60
    """How many slices of 100 decisions to measure, at least 4."""
    out: Path | None = None
    """Where to save a figure (.png, .svg or .pdf)."""
    numbers: Annotated[Path | None, tyro.conf.arg(name="json")] = None
    """Where to save the numbers."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        for game in self._games():
            preset("default", game, screen=self.screen)
        self._agents()
        if not self._games() and not self._trained():
            raise ValueError("--games or --trained must name something to measure, got nothing")
        for path in self._trained():
            if not Run(path).exists():
                raise ValueError(f"--trained must be folders of runs, got {path} (no config.json)")
        arguments.whole("--slices", self.slices, low=4, high=100_000)
        if self.out is not None:
            check_file("--out", self.out, (".png", ".svg", ".pdf"))
        if self.numbers is not None:
            check_file("--json", self.numbers, (".json",))

    def _agents(self) -> list[str]:
        from phieb.benchmarking.bench import AGENTS

        return words("--bonuses", self.bonuses, tuple(AGENTS))

    def _games(self) -> list[str]:
        return [game for game in self.games.split(",") if game]

    def _trained(self) -> list[str]:
        return [path for path in self.trained.split(",") if path]

    def run(self, console: Console) -> None:
        """Measure game by game and print a table."""
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
                    lambda doing, far: status.update(f"{doing}, {far:,}"),
                )
            for path in self._trained():
                status.update(f"{path}: measuring")
                results.append(bench_run(Run(path), self.slices))
        for table in report.tables(results):
            console.print(table)
        if self.numbers is not None:
            self.numbers.write_text(json.dumps({"machine": machine(), "games": results}, indent=1))
            console.print(f"numbers: {self.numbers}", soft_wrap=True)
        if self.out is not None:
            report.figure(results, self.out)
            console.print(f"figure: {self.out}", soft_wrap=True)


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    packages = ("phieb", "ale-py", "numba", "numpy")
    return {
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }
