"""Figures and videos of pseudocounts and coverage."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from phieb.evaluation.video import film_of
from phieb.files import writing
from phieb.reports.figure_files import save_figure
from phieb.reports.novelty_map import SEEN, NoveltyMap

LOWEST = 0.1  # of the scale; nothing that was never seen counts less by much
INCHES, DOTS = (9.6, 4.4), 100  # of a picture, which a film wants even
PER_SECOND = 8  # pictures


def figure(found: NoveltyMap, path: Path, title: str = "") -> None:
    """Save a heat map of pseudocounts, and one of the cells covered."""
    save_figure(_drawn(found, title, _scale([found])), path, dpi=DOTS)


def film(maps: Sequence[tuple[str, NoveltyMap]], path: Path) -> None:
    """Save maps with their titles as the frames of an .mp4, all on one colour scale."""
    if not maps:
        raise ValueError("maps must be at least one")
    scale = _scale([found for _, found in maps])
    writing.write(path, film_of(_pictures(maps, scale), PER_SECOND))


def _pictures(maps: Sequence[tuple[str, NoveltyMap]], scale: LogNorm) -> Iterator[NDArray[Any]]:
    for title, found in maps:
        canvas: Any = FigureCanvasAgg(_drawn(found, title, scale))
        canvas.draw()
        yield np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[:, :, :3])


def _scale(maps: Sequence[NoveltyMap]) -> LogNorm:
    largest = [one.pseudocounts[np.isfinite(one.pseudocounts)].max(initial=SEEN) for one in maps]
    return LogNorm(LOWEST, max(*largest, 10 * SEEN))


def _drawn(found: NoveltyMap, title: str, scale: LogNorm) -> Figure:
    drawn = Figure(figsize=INCHES, layout="constrained", dpi=DOTS)
    counts, covered = drawn.subplots(1, 2, sharex=True, sharey=True)
    shown = np.ma.masked_invalid(np.clip(found.pseudocounts, LOWEST, scale.vmax))
    heat = counts.pcolormesh(*found.grid.edges, shown, norm=scale, cmap="viridis")
    drawn.colorbar(heat, ax=counts)
    counts.set(title="pseudocount")
    missing = np.ma.masked_array(found.covered.astype(int), np.isnan(found.pseudocounts))
    two = ListedColormap(["#dddddd", "#0072b2"])
    covered.pcolormesh(*found.grid.edges, missing, cmap=two, vmin=0, vmax=1)
    covered.set(title=f"pseudocount of at least {SEEN:g}: {found.coverage:.0%} of the cells")
    for axes in (counts, covered):
        axes.set(xlabel=found.grid.labels[0])
        if not found.grid.first_row_below:  # a table of states
            axes.set_aspect("equal")
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    counts.set(ylabel=found.grid.labels[1])
    if not found.grid.first_row_below:
        counts.invert_yaxis()  # and that of the other, which is shared
    if title:
        drawn.suptitle(title)
    return drawn
