"""Figure 1: training scores against frames, a panel for each game, in two forms."""

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from phieb.experiments.paper import MILLION
from phieb.reports.curves import Curve, GroupCurves, by_game, curve, grid
from phieb.reports.paper import Reading
from phieb.worlds.games import title_of

COLOURS = ("#1f6fb4", "#d1581f", "#3a8f4d", "#8a5fb0", "#a9822b", "#4aa3a0", "#b0476f", "#6b6b6b")
EPSILON = "#6b6b6b"
ACROSS = 3  # panels
LEGEND = 1.2  # the height of a panel relative to that of its curves

Draw = Callable[[Any, Curve, str, float], None]


def paper_form(groups: Sequence[GroupCurves]) -> Figure:
    """As in the paper: mean, ± one standard deviation shaded, minimum and maximum dashed."""
    return _panels(groups, _draw_as_paper, "mean of trials; shaded ± 1 sd; dashed min and max")


def our_form(groups: Sequence[GroupCurves]) -> Figure:
    """All trials as thin lines, their mean, and its 95 % bootstrap band."""
    return _panels(groups, _draw_as_ours, "thin: trials; thick: mean with 95 % bootstrap band")


def colours(groups: Sequence[GroupCurves]) -> list[str]:
    """A colour for each group of a game; the agent without a bonus is always grey."""
    others = iter(COLOURS * len(groups))
    return [EPSILON if one.bonus == "none" else next(others) for one in groups]


def _panels(of_all: Sequence[GroupCurves], draw: Draw, how: str) -> Figure:
    games = by_game(of_all)
    across = min(len(games), ACROSS)
    down = -(-len(games) // across)
    figure = Figure(figsize=(4.3 * across + 0.4, 3.7 * down + 0.4), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for axes, (game, groups) in zip(panels, games.items(), strict=False):
        frames = grid(groups)
        for group, colour in zip(groups, colours(groups), strict=True):
            one, shade = curve(frames, group.at("score", frames)), min(0.2, 0.4 / len(groups))
            axes.plot(one.frames, one.mean, color=colour, linewidth=1.8, label=group.title)
            draw(axes, one, colour, shade)
            _draw_readings(axes, group, int(frames[-1]), colour)
        _finish(axes, game, groups, int(frames[-1]))
    for axes in panels[len(games) :]:
        axes.set_visible(False)
    said = f"game scores without bonus, mean of 100 episodes; {how}"
    figure.supxlabel(fill(said, 60 * across), fontsize="small")
    return figure


def _draw_as_paper(axes: Any, one: Curve, colour: str, shade: float) -> None:
    low, high = one.mean - one.deviation, one.mean + one.deviation
    axes.fill_between(one.frames, low, high, color=colour, alpha=shade, linewidth=0)
    for edge in (one.low, one.high):
        axes.plot(one.frames, edge, "--", color=colour, linewidth=0.8)


def _draw_as_ours(axes: Any, one: Curve, colour: str, shade: float) -> None:
    axes.fill_between(one.frames, *one.band, color=colour, alpha=shade, linewidth=0)
    axes.plot(one.frames, one.trials.T, color=colour, linewidth=0.6, alpha=0.7)


def _draw_readings(axes: Any, group: GroupCurves, most: int, colour: str) -> None:
    """Draw points read off the paper's curve."""
    for one in within(group, most):
        middle, half = (one.low + one.high) / 2, (one.high - one.low) / 2
        axes.errorbar(one.frames, middle, yerr=half, fmt="x", color=colour, capsize=3, zorder=5)


def within(group: GroupCurves, most: int) -> list[Reading]:
    """Points read off the paper's curve, up to a number of frames plus 1 %."""
    return [one for one in group.readings if (one.frames or 0) <= most * 1.01]


def _finish(axes: Any, game: str, groups: list[GroupCurves], most: int) -> None:
    axes.set(title=title_of(game), xlabel=groups[0].unit, ylabel="score")
    axes.set_xlim(0, most)
    # The axis starts at 0 unless a score is negative, ends at 1 or more, and leaves room above the
    # curves for the legend.
    axes.set_ylim(min(0.0, axes.dataLim.ymin), max(1.0, LEGEND * axes.get_ylim()[1]))
    axes.xaxis.set_major_formatter(FuncFormatter(short))
    axes.spines[["right"]].set_visible(False)
    axes.grid(alpha=0.25)
    if any(within(group, most) for group in groups):
        axes.plot([], [], "x", color="black", label="read off the paper's Figure 1")
    axes.legend(fontsize="x-small", loc="upper left", framealpha=0.6)
    skip = frame_skip(groups)
    if skip is not None:
        above = axes.secondary_xaxis("top", functions=(lambda x: x / skip, lambda x: x * skip))
        above.xaxis.set_major_formatter(FuncFormatter(short))
        above.xaxis.set_major_locator(MaxNLocator(5))
        above.set_xlabel("decisions", fontsize="small")
        above.tick_params(labelsize="small")


def frame_skip(groups: Sequence[GroupCurves]) -> int | None:
    """Frames per decision, if all groups have the same."""
    skips = {group.frame_skip for group in groups}
    return skips.pop() if len(skips) == 1 else None


def short(number: float, _: Any = None) -> str:
    """A number of frames on an axis.

    Example:
        >>> short(2_500_000), short(40_000), short(0)
        ('2.5 M', '40 k', '0')
    """
    if number == 0:
        return "0"
    small = abs(number) < MILLION / 10
    return f"{number / 1_000:g} k" if small else f"{number / MILLION:g} M"
