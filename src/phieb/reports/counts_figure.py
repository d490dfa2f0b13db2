"""A figure of pseudocounts against true counts, with a panel for each bonus."""

from pathlib import Path
from typing import Any

import numpy as np

from phieb.experiments.counts.plan import TILINGS, tilings
from phieb.reports.counts import Results, chosen, factor, number, rank
from phieb.reports.figure_files import save_figure

TITLES = {
    "product": r"$\hat{N}$, the product (Martin et al. 2017)",
    "per feature": r"$\bar{N}$, per feature",
    "naive": r"$\tilde{N}$, naive",
    "SimHash": "SimHash, 64 bits (Tang et al. 2017)",
    "CTS": "CTS (Bellemare et al. 2016)",
}
COLOURS = {
    "OneHot": "#999999",
    "1 tiling": "#56b4e9",
    "4 tilings": "#0072b2",
    "16 tilings": "#1b1464",
    "16 wide tilings": "#e69f00",
    "RandomBinary": "#d55e00",
    "position": "#009e73",
    "picture": "#cc79a7",
}
MARKERS = {"grid": "o", "plane": "^"}
LOWEST, HIGHEST = 1e-4, 1e4  # of the vertical axes


def figure(results: Results, path: Path) -> None:
    """Scatter plots of estimated against true counts, and the factor of bias against tilings."""
    # Imported here: it takes a second, which no other command needs.
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    fig = Figure(figsize=(13.5, 10.2), layout=ConstrainedLayoutEngine(hspace=0.06))
    panels = fig.subplots(2, 3).ravel()
    for axes, bonus in zip(panels, TITLES, strict=False):
        _scatter(axes, results, bonus)
    _against_tilings(panels[-1], results)
    fig.supxlabel(
        "Circles: grid, triangles: plane; both behaviours, seed 0. Points below the axis lie "
        "on its edge. In the legends: the factor of bias and the rank correlation,\nmedian over "
        "worlds, behaviours and seeds. Solid line: equality. Dashed in the first panel: "
        r"$1/((1 + 1/(N + ½))^k - 1)$ for $k$ = 4, 16 tilings.",
        fontsize="small",
    )
    save_figure(fig, path, dpi=120)


def _scatter(axes: Any, results: Results, bonus: str) -> None:
    sees = dict.fromkeys(row["sees"] for row in chosen(results, bonus=bonus))
    for name in sees:
        rows = chosen(results, bonus=bonus, sees=name)
        for row in rows:
            if row["points"]:
                true, estimated = np.array(row["points"]).T
                shown = np.clip(estimated, LOWEST, HIGHEST)
                style = {"marker": MARKERS[row["world"]], "alpha": 0.55, "linewidths": 0}
                axes.scatter(true, shown, 11, COLOURS[name], clip_on=False, **style)
        label = f"{name}: ×{number(factor(rows))}, rank {rank(rows):.2f}"
        axes.scatter([], [], 30, COLOURS[name], label=label)
    largest = max(point[0] for row in results["rows"] for point in row["points"])
    counts = np.geomspace(1.0, 1.5 * largest, 100)
    axes.plot(counts, counts, color="black", linewidth=1.0, zorder=0)
    if bonus == "product":
        for k in TILINGS[1:]:
            axes.plot(
                counts, 1 / ((1 + 1 / (counts + 0.5)) ** k - 1), "--", color="black", linewidth=0.7
            )
    axes.set(xscale="log", yscale="log", xlim=(0.9, 1.5 * largest), ylim=(LOWEST, HIGHEST))
    axes.set(xlabel="true count", ylabel="estimated count", title=TITLES[bonus])
    axes.grid(alpha=0.25)
    _legend_below(axes)


def _against_tilings(axes: Any, results: Results) -> None:
    """The factor of bias in each world and behaviour, as the number of tilings grows."""
    band = {"color": "#009e73", "alpha": 0.1, "linewidth": 0, "label": "within a factor of 2"}
    _lines(axes, results, "per feature", "#009e73", r"$\bar{N}$")
    axes.axhspan(0.5, 2.0, **band)
    _lines(axes, results, "product", "#d55e00", r"$\hat{N}$")
    axes.plot(TILINGS, 1 / np.array(TILINGS), color="grey", linewidth=0.8, label=r"$1/k$")
    axes.set(xscale="log", yscale="log", xlabel="number of tilings k", ylabel="factor of bias")
    axes.set(title="Factor of bias against the number of tilings", ylim=(0.01, 4.0))
    axes.set_xticks(TILINGS, [str(k) for k in TILINGS])
    axes.minorticks_off()
    axes.grid(alpha=0.25)
    _legend_below(axes)


def _lines(axes: Any, results: Results, bonus: str, colour: str, symbol: str) -> None:
    settings = dict.fromkeys((row["world"], row["behaviour"]) for row in results["rows"])
    for (world, behaviour), style in zip(settings, ("-", "--", "-.", ":"), strict=True):
        given = {"bonus": bonus, "world": world, "behaviour": behaviour}
        found = [factor(chosen(results, sees=tilings(k), **given)) for k in TILINGS]
        drawn = {"linestyle": style, "marker": MARKERS[world], "color": colour}
        axes.plot(TILINGS, found, label=f"{symbol}: {world}, {behaviour}", **drawn)


def _legend_below(axes: Any) -> None:
    place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.14)}
    axes.legend(ncols=2, fontsize="small", frameon=False, columnspacing=0.8, **place)
