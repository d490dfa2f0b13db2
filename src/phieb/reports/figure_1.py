"""Figure 1: training scores against frames, a panel for each game, in two forms.

Games with many agents have a panel for each agent instead (small multiples).
"""

from collections.abc import Mapping, Sequence
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from phieb.reports.colours import colour_of, ink_of
from phieb.reports.curves import GroupCurves, by_game, grid
from phieb.reports.end_labels import End, name_ends
from phieb.reports.panel import (
    AS_OURS,
    AS_PAPER,
    THIN,
    Form,
    caption,
    draw_group,
    draw_readings,
    set_frames,
    set_limits,
    short,
    trials_text,
    widths,
)
from phieb.worlds.games import title_of

MANY = 4  # agents in one panel
ACROSS = {"games": 2, "agents": 4}  # panels
OTHERS = "#d4d4d4"  # curves of other agents, behind


def paper_form(groups: Sequence[GroupCurves]) -> Figure:
    """As in the paper: mean, ± one standard deviation shaded, minimum and maximum dashed."""
    return _figure(groups, AS_PAPER)


def our_form(groups: Sequence[GroupCurves]) -> Figure:
    """All trials as thin lines, their mean, and its 95 % bootstrap band."""
    return _figure(groups, AS_OURS)


def _figure(groups: Sequence[GroupCurves], form: Form) -> Figure:
    games = by_game(groups)
    if max(map(len, games.values())) > MANY:
        return _small_multiples(games, form)
    return _panels(games, form)


def _panels(games: Mapping[str, list[GroupCurves]], form: Form) -> Figure:
    across = min(len(games), ACROSS["games"])
    down = -(-len(games) // across)
    figure = Figure(figsize=(5.6 * across + 0.2, 3.5 * down + 0.5), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    ends = dict[Axes, list[End]]()
    for axes, (game, groups) in zip(panels, games.items(), strict=False):
        frames = grid(groups)
        most, thick = int(frames[-1]), widths(len(groups))
        ends[axes] = [
            draw_group(axes, group, frames, form, width)
            for group, width in zip(groups, thick, strict=True)
        ]
        for group in groups:
            draw_readings(axes, group, most)
        set_limits(axes, most)
        set_frames(axes, groups)
        axes.set(title=title_of(game), ylabel="score")
        axes.spines[["right"]].set_visible(False)
        axes.grid(alpha=0.25)
    for axes in panels[len(games) :]:
        axes.set_visible(False)
    _write_caption(figure, games, form)
    name_ends(figure, ends)
    return figure


def _small_multiples(games: Mapping[str, list[GroupCurves]], form: Form) -> Figure:
    """A part for each game, a panel for each agent, with the means of all others in grey."""
    across = ACROSS["agents"]
    downs = [-(-len(groups) // across) for groups in games.values()]
    figure = Figure(figsize=(2.9 * across, 2.2 * sum(downs) + 0.7 * len(downs)))
    figure.set_layout_engine("constrained")
    parts = figure.subfigures(len(games), 1, height_ratios=downs, squeeze=False).ravel()
    for part, down, (game, groups) in zip(parts, downs, games.items(), strict=True):
        part.suptitle(title_of(game))
        part.supxlabel(groups[0].unit, fontsize="small")
        part.supylabel("score", fontsize="small")
        panels = part.subplots(down, across, squeeze=False, sharex=True, sharey=True).ravel()
        for axes, group in zip(panels, groups, strict=False):
            _one_of_many(axes, group, groups, form)
        _share_limits(panels, groups)
        for axes in panels[len(groups) :]:
            axes.set_visible(False)
        for axes in panels[max(0, len(groups) - across) : len(groups)]:  # with none below
            axes.tick_params(labelbottom=True)
    _write_caption(figure, games, form, "grey: the other agents' means")
    return figure


def _one_of_many(axes: Axes, group: GroupCurves, groups: list[GroupCurves], form: Form) -> None:
    frames = grid(groups)
    for other in groups:
        if other is not group:
            axes.plot(frames, other.at("score", frames).mean(axis=0), color=OTHERS, linewidth=1.0)
    draw_group(axes, group, frames, form, THIN)
    draw_readings(axes, group, int(frames[-1]))
    axes.set_title(f"{group.label}, {trials_text(group)}", color=ink_of(group.label), fontsize=9)
    axes.spines[["right", "top"]].set_visible(False)
    axes.spines["left"].set_color(colour_of(group.label))
    axes.grid(alpha=0.25)


def _share_limits(panels: Sequence[Axes], groups: list[GroupCurves]) -> None:
    """The limits that all panels of a game need, and few ticks, since panels are narrow."""
    shown = panels[: len(groups)]
    low = min(axes.dataLim.ymin for axes in shown)
    high = max(axes.dataLim.ymax for axes in shown)
    for axes in shown:
        axes.dataLim.update_from_data_y([low, high], ignore=False)
        set_limits(axes, int(grid(groups)[-1]))
        axes.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(FuncFormatter(short))
        axes.tick_params(labelsize="small")


def _write_caption(
    figure: Figure, games: Mapping[str, list[GroupCurves]], form: Form, more: str = ""
) -> None:
    groups = [group for of_one in games.values() for group in of_one]
    most = [int(grid(games[group.game])[-1]) for group in groups]
    said = "; ".join(filter(None, (caption(groups, form, most), more)))
    figure.supxlabel(fill(said, int(11.5 * figure.get_figwidth())), fontsize="small")
