"""The race as a figure: every trial, and the mean of each candidate in each game."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from phieb.reports.colours import colour_of
from phieb.reports.race import EPSILON, Row, Standing, areas_of, best_of, standings
from phieb.training.config import label
from phieb.worlds.games import title_of

ACROSS = 3


def figure(rows: Sequence[Row], seeds: Sequence[int]) -> Figure:
    """A panel for the mean of all games and one for each game; the best candidate on top."""
    areas = areas_of(rows, seeds)
    found = standings(areas)
    games = list(found[0].games)
    down = -(-(len(games) + 1) // ACROSS)
    height = 0.3 * len(found) + 1.0
    made = Figure(figsize=(4.2 * ACROSS, height * down + 0.4), layout="constrained")
    panels = made.subplots(down, ACROSS, squeeze=False, sharey=True).ravel()
    _overall(panels[0], found, len(seeds))
    best = best_of(areas)
    for axes, game in zip(panels[1:], games, strict=False):
        for place, one in enumerate(found):
            colour = _colour(one)
            values = areas[one.candidate, game] / best[game]
            axes.plot(values, np.full(values.size, place), "o", color=colour, alpha=0.4)
            axes.plot(one.games[game], place, "|", color=colour, markersize=14, markeredgewidth=2)
        axes.set_title(title_of(game))
    for axes in panels[: len(games) + 1]:
        axes.set_yticks(range(len(found)), [one.candidate for one in found])
        axes.grid(alpha=0.25)
        axes.set_xlim(left=-0.05)
    panels[0].set_ylim(len(found) - 0.5, -0.5)
    for axes in panels[len(games) + 1 :]:
        axes.set_visible(False)
    made.supxlabel(
        "area under the learning curve, relative to the best candidate's; dots: trials, "
        f"bars: interquartile means over {len(seeds)} seeds",
        fontsize="small",
    )
    return made


def _overall(axes: Any, found: Sequence[Standing], num_seeds: int) -> None:
    for place, one in enumerate(found):
        colour = _colour(one)
        bars = [[max(one.mean - one.low, 0.0)], [max(one.high - one.mean, 0.0)]]
        xerr = bars if num_seeds > 1 else None
        axes.errorbar(one.mean, place, xerr=xerr, fmt="D", color=colour, capsize=3)
    axes.set_title(f"mean of all games{', 95 % interval' if num_seeds > 1 else ''}")


def _colour(one: Standing) -> str:
    """All candidates but ε-greedy are settings of the same agent."""
    return colour_of(label("sarsa", "none" if one.candidate == EPSILON else "phi"))
