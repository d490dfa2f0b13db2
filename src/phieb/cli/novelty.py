"""`phieb novelty`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from gymnasium import spaces
from rich.console import Console

from phieb import arguments
from phieb.cli.options import (
    FIGURES,
    Checkpoint,
    OptionalInt,
    RunFolder,
    check_file,
    check_run,
    progress_bar,
)
from phieb.features import Tiles
from phieb.training import Run, RunError

if TYPE_CHECKING:
    from phieb.evaluation.frozen import Frozen
    from phieb.reports import Grid

PICTURES = 60  # frames of a video

Range = Annotated[
    tuple[float, float] | None, tyro.conf.arg(metavar="FROM TO", help_behavior_hint="")
]


@dataclass
class Novelty:
    """Draw pseudocounts over the observation space, and the coverage.

    The figure shows two components of the observations (Box) or all states (Discrete). The run
    must be in a Gymnasium environment.

    Example: phieb novelty runs/MountainCar-v0-phi-0 --film growing.mp4
    """

    path: RunFolder
    out: Path = Path("novelty.png")
    """Save the figure here (.png, .svg or .pdf)."""
    film: Annotated[
        Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="(default: no film)")
    ] = None
    """Save a video of the growing pseudocounts here (.mp4); this repeats the training in memory."""
    checkpoint: Checkpoint = None
    elements: tuple[int, int] = (0, 1)
    """Box: indices of the two components; the others are as at the start of an episode."""
    across: Range = None
    """Box: range of the first component (default: the bounds of the space or of the tiles)."""
    up: Range = None
    """Box: range of the second component."""
    bins: int = 40
    """Box: number of cells along each side."""
    columns: OptionalInt = None
    """Discrete: number of states per row (default: the square root of the number of states)."""

    def check(self) -> None:
        """Check all options before anything is run."""
        check_run(self.path)
        check_file("--out", self.out, FIGURES)
        if self.film is not None:
            check_file("--film", self.film, (".mp4",))
        arguments.whole("--bins", self.bins, low=1, high=1_000)
        if self.columns is not None:
            arguments.whole("--columns", self.columns, low=1, high=1_000)
        if (self.across is None) != (self.up is None):
            raise ValueError("--across and --up must be given together")
        config = Run(self.path).config()
        if config.is_atari:
            raise ValueError(f"RUN must be in a Gymnasium environment, got {config.game}")

    def run(self, console: Console) -> None:
        """Draw the figure, and the video if requested."""
        # Imported here: it takes a second, which no other command needs.
        from phieb.evaluation.frozen import Frozen, saved
        from phieb.reports.novelty_figure import figure

        run = Run(self.path)
        config, held = saved(run, self.checkpoint, console.print)
        frozen = Frozen(config, held)
        grid = self._grid(frozen)
        found = _map_of(frozen.training, grid)
        title = f"{config.game}, {config.label}, {held.frames:,} steps"
        figure(found, self.out, title)
        console.print(
            f"{found.coverage:.1%} of the cells have a pseudocount of at least 1\n"
            f"picture: {self.out}",
            soft_wrap=True,
        )
        if self.film is not None:
            self._film(console, run, held.frames, grid)

    def _film(self, console: Console, run: Run, frames: int, grid: "Grid") -> None:
        from phieb.evaluation.replay import replayed
        from phieb.reports.novelty_figure import film

        maps, times = [], min(PICTURES, frames)
        with progress_bar(console) as progress:
            task = progress.add_task("trained again", total=times)
            for training in replayed(run, frames, times):
                maps.append((f"{training.frames:,} steps", _map_of(training, grid)))
                progress.advance(task)
        assert self.film is not None
        film(maps, self.film)
        console.print(f"film: {self.film}", soft_wrap=True)

    def _grid(self, frozen: "Frozen") -> "Grid":
        from phieb.reports import grid_over

        bonus, world = frozen.training.learner.bonus, frozen.training.world
        if bonus is None:
            raise RunError(f"{self.path}: has no bonus, and so no pseudocounts")
        others: Any = None
        if isinstance(world.observation_space, spaces.Box):
            others, _ = world.reset()
        ranges = None if self.across is None or self.up is None else (self.across, self.up)
        tiles = frozen.training.learner.features
        if ranges is None and isinstance(tiles, Tiles) and max(self.elements) < tiles.low.size:
            across, up = ((float(tiles.low[k]), float(tiles.high[k])) for k in self.elements)
            ranges = across, up
        space: spaces.Space[Any] = world.observation_space
        try:
            return grid_over(space, self.elements, self.bins, ranges, others, self.columns)
        except (TypeError, ValueError) as error:
            said = str(error).replace("ranges must be", "--across and --up must be")
            raise RunError(f"{self.path}: {said}") from None


def _map_of(training: Any, grid: "Grid") -> Any:
    from phieb.reports import novelty_map

    return novelty_map(training.learner.bonus, training.learner.features, grid)
