"""Labels at the ends of curves, to the right of the axes, moved apart where they would overlap."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from phieb.reports.colours import colour_of, ink_of

SIZE = 9  # points
LINE = 1.45  # the height of a line in sizes of the letters
BESIDE = 1.04  # where names start, in widths of the axes


class End(NamedTuple):
    """The last point of a curve, the agent's label, and a remark for a second line."""

    x: float
    y: float
    label: str
    remark: str = ""

    @property
    def text(self) -> str:
        """The text of the label, with settings and remark on separate lines."""
        name = self.label.replace(" (", "\n(").replace(", ", ",\n")
        return f"{name}\n{self.remark}".rstrip()


def name_ends(figure: Figure, ends: Mapping[Axes, Sequence[End]]) -> None:
    """Write the name of each curve to the right of its axes, with a thin line to its end.

    Axes must have their final limits. The layout is made twice: names take width, and how far
    they must move depends on the height that is left.
    """
    made = {axes: [_named(axes, one) for one in of_one] for axes, of_one in ends.items()}
    figure.draw_without_rendering()
    for axes, of_one in ends.items():
        inches = axes.get_position().height * figure.get_figheight()
        sizes = [SIZE * LINE / 72 * (one.text.count("\n") + 1) / inches for one in of_one]
        points = [(one.x, one.y) for one in of_one]
        wanted = axes.transAxes.inverted().transform(axes.transData.transform(points))[:, 1]
        places = spread(wanted, np.array(sizes), -0.08, 1.08)
        for name, place in zip(made[axes], places, strict=True):
            name.xyann = (BESIDE, float(place))


def spread(
    wanted: NDArray[np.float64], sizes: NDArray[np.float64], low: float, high: float
) -> NDArray[np.float64]:
    """The centres nearest to the wanted ones (least squares) at which names do not overlap.

    With gaps subtracted, the places only have to increase: an isotonic regression.

    Args:
        wanted: centres.
        sizes: heights of the names.
        low: no name starts below, if there is room for all of them.
        high: no name ends above.
    """
    order = np.argsort(wanted, kind="stable")
    tall = sizes[order]
    before = np.concatenate([[0.0], np.cumsum((tall[1:] + tall[:-1]) / 2)])
    blocks: list[tuple[float, int]] = []  # mean, length
    for value in wanted[order] - before:
        mean, num = float(value), 1
        while blocks and blocks[-1][0] > mean:
            other, length = blocks.pop()
            mean, num = (other * length + mean * num) / (num + length), num + length
        blocks.append((mean, num))
    free = np.repeat([mean for mean, _ in blocks], [num for _, num in blocks])
    placed = np.empty_like(free)
    placed[order] = np.clip(free, low + tall[0] / 2, high - tall[-1] / 2 - before[-1]) + before
    return placed


def _named(axes: Axes, one: End) -> Any:
    return axes.annotate(
        one.text,
        (one.x, one.y),
        (BESIDE, 0.5),
        textcoords="axes fraction",
        va="center",
        fontsize=SIZE,
        linespacing=1.1,
        color=ink_of(one.label),
        annotation_clip=False,
        arrowprops={
            "arrowstyle": "-",
            "color": colour_of(one.label),
            "linewidth": 0.8,
            "relpos": (0, 0.5),
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )
