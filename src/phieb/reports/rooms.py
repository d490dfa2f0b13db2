"""Rooms of Montezuma's Revenge: which were visited, when and how often."""

from collections import Counter
from typing import Any

from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from phieb.reports.colours import colour_of
from phieb.reports.curves import GroupCurves, curve, grid
from phieb.reports.end_labels import name_ends
from phieb.reports.panel import end_of, set_frames, set_limits, trials_text, widths
from phieb.worlds.rooms import PYRAMID, WIDE, place_of


def visits(group: GroupCurves) -> dict[int, int]:
    """Number of training decisions in each room, over all trials."""
    found = Counter[int]()
    for trial in group.trials:
        found.update(trial.visits)
    return dict(found)


def has_rooms(groups: list[GroupCurves]) -> bool:
    """Whether the logs of these trials have rooms."""
    return any(trial.visits for group in groups for trial in group.trials)


def figure(groups: list[GroupCurves]) -> Figure:
    """Rooms visited over time, and for each group a map coloured by visits, with its key."""
    drawn = Figure(figsize=(6.2 + 4.6 * len(groups), 3.9), layout="constrained")
    ratios = [6.2, *[4.6] * len(groups)]
    over_time, *maps = drawn.subplots(1, len(ratios), squeeze=False, width_ratios=ratios)[0]
    frames = grid(groups)
    ends = []
    for group, width in zip(groups, widths(len(groups)), strict=True):
        one, colour = curve(frames, group.at("rooms", frames)), colour_of(group.label)
        over_time.plot(frames, one.trials.T, color=colour, linewidth=0.8)
        over_time.plot(frames, one.mean, color=colour, linewidth=width)
        ends.append(end_of(group, one))
    over_time.set(ylabel="rooms visited so far")
    if any(len(group.trials) > 1 for group in groups):
        over_time.set_title("thin: trials; thick: their mean", fontsize="medium")
    set_limits(over_time, int(frames[-1]))
    set_frames(over_time, groups)
    over_time.yaxis.set_major_locator(MaxNLocator(integer=True))
    over_time.grid(alpha=0.25)
    norm = LogNorm(1, max(10, *(times for group in groups for times in visits(group).values())))
    for axes, group in zip(maps, groups, strict=True):
        _draw_map(axes, group, norm)
    key = ScalarMappable(norm, "viridis")
    bar = drawn.colorbar(key, ax=maps, location="bottom", shrink=0.6 / len(groups), aspect=30)
    bar.ax.xaxis.set_major_formatter(FuncFormatter(lambda count, _: short_count(int(count))))
    bar.ax.tick_params(labelsize="small")
    bar.set_label("decisions in a room, all trials; grey: never visited", fontsize="small")
    name_ends(drawn, {over_time: ends})
    return drawn


def _draw_map(axes: Any, group: GroupCurves, norm: LogNorm) -> None:
    found = visits(group)
    for room in (room for rooms in PYRAMID for room in rooms):
        _draw_room(axes, room, found.get(room, 0), norm)
    axes.set(xlim=(-0.1, WIDE), ylim=(len(PYRAMID), -0.1))
    axes.set_title(f"{group.label}, {trials_text(group)}", fontsize="medium")
    axes.set_aspect("equal")
    axes.axis("off")


def _draw_room(axes: Any, room: int, times: int, norm: LogNorm) -> None:
    row, column = place_of(room)
    face: Any = "#e8e8e8"
    ink, said = "#6b6b6b", str(room)
    if times:
        depth = float(norm(times))
        face, said = colormaps["viridis"](depth), f"{room}\n{short_count(times)}"
        ink = "white" if depth < 0.6 else "black"
    axes.add_patch(Rectangle((column, row), 0.94, 0.9, facecolor=face))
    style = {"ha": "center", "va": "center", "fontsize": 7, "color": ink}
    axes.text(column + 0.47, row + 0.45, said, **style)


def short_count(number: int) -> str:
    """A count in short form.

    Example:
        >>> short_count(950), short_count(12_345), short_count(2_500_000)
        ('950', '12 k', '2.5 M')
    """
    if number < 1_000:
        return str(number)
    return f"{number / 1_000:.0f} k" if number < 999_500 else f"{number / 1e6:.1f} M"
