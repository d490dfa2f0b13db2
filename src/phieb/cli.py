"""The command `phieb`: what is asked for, checked, run by the other rooms, and printed."""

import io
import json
import os
import sys
from collections import deque
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated, Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from phieb import __version__, arguments
from phieb.runs import random_screens

BAD_INPUT = 2  # the exit code


@dataclass
class Small:
    """Run every agent on the small worlds and print the tables."""

    seeds: int = 100
    """How many seeds each agent lives with; Deep Sea takes a fifth of them."""
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
            _check_file("--out", self.out, (".png", ".svg", ".pdf"))
        if self.numbers is not None:
            _check_file("--json", self.numbers, (".json",))

    def run(self, console: Console) -> None:
        """Run it, with a progress bar."""
        if self.search:
            self._search(console)
            return
        from phieb.reports import small as report
        from phieb.runs import small

        began = perf_counter()
        with _progress(console) as progress:
            task = progress.add_task("runs", total=small.num_jobs(self.seeds))
            results = small.run(self.seeds, lambda: progress.advance(task))
        rewards, sea = report.titles(results)
        console.print(report.table(rewards, report.reward_rows(results)))
        console.print(report.table(sea, report.deep_sea_rows(results)))
        if self.numbers is not None:
            self.numbers.write_text(json.dumps(results, indent=1) + "\n")
            console.print(f"numbers: {self.numbers}")
        if self.out is not None:
            report.figure(results, self.out)
            console.print(f"figure: {self.out}")
        console.print(f"{perf_counter() - began:.0f} s")

    def _search(self, console: Console) -> None:
        from phieb.runs import small_plan, small_search

        with _progress(console) as progress:
            task = progress.add_task("settings", total=small_search.num_jobs())
            chosen = small_search.search(lambda: progress.advance(task))
        for entry in chosen:
            now = "as planned" if entry in small_plan.CHOSEN else "NOT as planned"
            setting = ", ".join(f"{name} {value:g}" for name, value in entry.setting().items())
            console.print(f"{entry.world}, {entry.agent}: {setting} ({now})", soft_wrap=True)


@dataclass
class Look:
    """Play some random decisions and save a picture of the blobs that the features see."""

    game: tyro.conf.Positional[str]
    """Any game that ale-py ships: venture, montezuma_revenge, …"""
    out: Path = Path("blobs.png")
    """Where to save the picture (.png)."""
    decisions: int = 100
    """How many decisions to play first."""
    seed: int = 0
    """Of the game and of the random play."""
    preset: Literal["martin2017", "liang2016"] = "martin2017"
    """The settings of Blob-PROST."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        from phieb.worlds.games import find_game

        find_game(self.game)
        arguments.whole("--decisions", self.decisions, low=1, high=1_000_000)
        arguments.whole("--seed", self.seed)
        _check_file("--out", self.out, (".png",))

    def run(self, console: Console) -> None:
        """Play, draw, and say what there is to see."""
        from matplotlib.image import imsave

        from phieb.features import BlobProst
        from phieb.features.blob_prost import PRESETS

        (screen,) = deque(random_screens(self.game, self.decisions, self.seed), maxlen=1)
        tile, tolerance = PRESETS[self.preset]
        features = BlobProst(tile, tolerance, screen.shape)
        imsave(self.out, features.draw(screen))
        num_blobs, num_features = len(features.blobs(screen)), features.active(screen).size
        console.print(
            f"{num_blobs} blobs, {num_features} features without pairs in time; "
            f"tiles of {tile[0]} x {tile[1]}, tolerance {tolerance}\npicture: {self.out}"
        )


Command = Small | Look
COMMANDS: dict[str, Callable[..., Command]] = {"small": Small, "look": Look}


def main(arguments_given: list[str] | None = None) -> None:
    """Parse, check, run; bad input is one line and exit code 2."""
    given = sys.argv[1:] if arguments_given is None else arguments_given
    if given == ["--version"]:
        print(f"phieb {__version__}")
        return
    command = _parse(given or ["--help"])
    try:
        command.check()
    except (TypeError, ValueError) as error:
        _fail(str(error))
    try:
        # A file or a pipe has no width: wide enough that no table is folded.
        command.run(Console(width=None if sys.stdout.isatty() else 120))
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        print("phieb: stopped", file=sys.stderr)
        sys.exit(130)


def _parse(given: list[str]) -> Command:
    """The command and its options; tyro's framed complaint becomes one line."""
    complaint = io.StringIO()
    try:
        with redirect_stderr(complaint):
            command: Command = tyro.extras.subcommand_cli_from_dict(
                COMMANDS, prog="phieb", description="φ-EB: explore by counting.", args=given
            )
            return command
    except SystemExit as stop:
        if stop.code == BAD_INPUT:
            _fail(_one_line(complaint.getvalue()))
        raise


def _one_line(framed: str) -> str:
    """The text in a frame, up to its first rule."""
    inside = [line.strip("│ ") for line in framed.splitlines() if line.startswith("│")]
    said = inside[: next((i for i, line in enumerate(inside) if set(line) == {"─"}), None)]
    return " ".join(said) or framed.strip()


def _fail(problem: str) -> None:
    print(f"phieb: {problem}", file=sys.stderr)
    sys.exit(BAD_INPUT)


def _check_file(option: str, path: Path, endings: tuple[str, ...]) -> None:
    if path.suffix.lower() not in endings:
        raise ValueError(f"{option} must end in {' or '.join(endings)}, got {path}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"{option} must be a file in a folder that can be written to, got {path}")


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
