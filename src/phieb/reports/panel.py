"""A panel of training scores: the curves of groups, the paper's points, and the axes."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, MaxNLocator

from phieb.experiments.paper import MILLION
from phieb.reports.colours import colour_of
from phieb.reports.curves import Curve, GroupCurves, Ints, curve, frames_text
from phieb.reports.end_labels import End
from phieb.reports.paper import Reading

THIN, MARGIN = 1.6, 0.04  # the width of the last curve; room around the curves, of their range


class Form(NamedTuple):
    """How a group is drawn around its mean.

    Attributes:
        draw: what is drawn of several trials in addition to their mean.
        words: what that is, for the caption.
    """

    draw: Callable[[Any, Curve, str, float], None]
    words: str


def _sd_and_range(axes: Any, one: Curve, colour: str, shade: float) -> None:
    low, high = one.mean - one.deviation, one.mean + one.deviation
    axes.fill_between(one.frames, low, high, color=colour, alpha=shade, linewidth=0)
    for edge in (one.low, one.high):
        axes.plot(one.frames, edge, "--", color=colour, linewidth=0.8)


def _trials_and_band(axes: Any, one: Curve, colour: str, shade: float) -> None:
    axes.fill_between(one.frames, *one.band, color=colour, alpha=shade, linewidth=0)
    axes.plot(one.frames, one.trials.T, color=colour, linewidth=0.6, alpha=0.7)


AS_PAPER = Form(_sd_and_range, "thick: mean of trials; shaded: ± 1 sd; dashed: min and max")
AS_OURS = Form(_trials_and_band, "thin: trials; thick: their mean, with its 95 % bootstrap band")


def widths(number: int) -> list[float]:
    """Widths of curves, in the order of drawing: earlier ones are seen at the edges of later."""
    step = min(1.8, 5.0 / number)
    return [THIN + step * (number - 1 - k) for k in range(number)]


def draw_group(axes: Any, group: GroupCurves, frames: Ints, form: Form, width: float) -> End:
    """Draw a group; returns the end of its curve, with its name."""
    one, colour = curve(frames, group.at("score", frames)), colour_of(group.label)
    axes.plot(one.frames, one.mean, color=colour, linewidth=width, solid_capstyle="butt")
    if len(group.trials) > 1:
        form.draw(axes, one, colour, 0.18)
    return end_of(group, one)


def end_of(group: GroupCurves, one: Curve) -> End:
    """The last known point of the mean, or where no point is known the origin."""
    known = np.flatnonzero(~np.isnan(one.mean))
    x, y = (one.frames[known[-1]], one.mean[known[-1]]) if known.size else (0, 0.0)
    return End(float(x), float(y), group.label, trials_text(group))


def trials_text(group: GroupCurves) -> str:
    """The number of trials; also their frames if these differ by more than 1 %.

    Example:
        >>> trials_text(GroupCurves("venture", "Sarsa-ε", "none", [], [], 5))
        '0 trials'
    """
    reached = [trial.reached for trial in group.trials]
    said = f"{len(reached)} trial{'s' * (len(reached) != 1)}"
    ragged = reached and max(reached) > 1.01 * min(reached)
    return f"{said}, {frames_text(reached)}" if ragged else said


def draw_readings(axes: Any, group: GroupCurves, most: int) -> None:
    """Draw points read off the paper's curve with their ranges, above all curves."""
    edge, colour = [withStroke(linewidth=4.0, foreground="white")], colour_of(group.label)
    for one in within(group, most):
        middle, half = (one.low + one.high) / 2, (one.high - one.low) / 2
        style = {"fmt": "x", "color": colour, "capsize": 4, "markeredgewidth": 1.8, "zorder": 9}
        drawn = axes.errorbar(one.frames, middle, yerr=half or None, clip_on=False, **style)
        for part in (drawn.lines[0], *drawn.lines[1], *drawn.lines[2]):
            part.set_path_effects(edge)


def within(group: GroupCurves, most: int) -> list[Reading]:
    """Points read off the paper's curve, up to a number of frames plus 1 %."""
    return [one for one in group.readings if (one.frames or 0) <= most * 1.01]


def set_limits(axes: Any, most: int) -> None:
    """Limits with 0 and 1, and with room on both sides: a curve at 0 is above the axis."""
    low, high = min(0.0, axes.dataLim.ymin), max(1.0, axes.dataLim.ymax)
    axes.set_ylim(low - MARGIN * (high - low), high + MARGIN * (high - low))
    axes.set_xlim(0, most * (1 + MARGIN / 2))


def set_frames(axes: Any, groups: Sequence[GroupCurves]) -> None:
    """Frames (or steps) below; decisions above, if all groups have as many frames per decision."""
    skip = frame_skip(groups)
    shown = [(axes.xaxis, groups[0].unit)]
    if skip is not None:
        above = axes.secondary_xaxis("top", functions=(lambda x: x / skip, lambda x: x * skip))
        shown.append((above.xaxis, "decisions"))
    for axis, name in shown:
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
        axis.set_major_formatter(FuncFormatter(short))
        axis.set_label_text(name, fontsize="small")
        axis.set_tick_params(labelsize="small")


def frame_skip(groups: Sequence[GroupCurves]) -> int | None:
    """Frames per decision, if all groups have the same."""
    skips = {group.frame_skip for group in groups}
    return skips.pop() if len(skips) == 1 else None


def caption(groups: Sequence[GroupCurves], form: Form, most: Sequence[int]) -> str:
    """A caption that explains the curves and marks in the panel."""
    several = {len(group.trials) > 1 for group in groups}
    said = ["scores of the game without bonus, mean of the last 100 episodes"]
    said += [form.words] if True in several else []
    said += ["one trial: its curve, no band"] if False in several else []
    if any(within(group, end) for group, end in zip(groups, most, strict=True)):
        said.append("× with its range: read off the paper's Figure 1")
    return "; ".join(said)


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
