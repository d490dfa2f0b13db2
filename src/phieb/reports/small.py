"""Tables and figure of the small worlds, from the results of `phieb small`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from phieb.intervals import Mean, bootstrap_mean
from phieb.reports.figure_files import save_figure
from phieb.reports.published import TOTAL_REWARD
from phieb.reports.tables import Rows

if TYPE_CHECKING:
    from phieb.reports.end_labels import End

# The unit of total rewards, and its suffix in the title of the column.
WORLDS = {"RiverSwim": (1e6, ", M"), "SixArms": (1e6, ", M"), "Bandit": (1.0, "")}
PUBLISHED_WORLDS = {world for numbers in TOTAL_REWARD.values() for world in numbers}
Results = Mapping[str, Any]


def means(results: Results) -> dict[tuple[str, str], Mean]:
    """Mean total reward with its 95 % interval, by agent and world."""
    return {(r["agent"], r["world"]): bootstrap_mean(r["totals"]) for r in results["total_reward"]}


def reward_rows(results: Results) -> Rows:
    """Total reward in the continuing worlds, with published values."""
    ours = means(results)
    rows = [["agent"]]
    for world, (_, unit) in WORLDS.items():
        rows[0] += [f"{world}{unit}", "published"] if world in PUBLISHED_WORLDS else [world]
    for agent in dict.fromkeys([*(agent for agent, _ in ours), *TOTAL_REWARD]):
        rows.append([agent])
        for world, (size, _) in WORLDS.items():
            rows[-1].append(_with_interval(ours.get((agent, world)), size))
            if world in PUBLISHED_WORLDS:
                rows[-1].append(_number(TOTAL_REWARD.get(agent, {}).get(world), size))
    return rows


def deep_sea_rows(results: Results) -> Rows:
    """Median episodes to solve Deep Sea, and how many seeds solved it, for each size."""
    found = {(r["agent"], r["size"]): r["episodes"] for r in results["deep_sea"]}
    sizes = sorted({size for _, size in found})
    rows = [["agent", *(f"N = {size}" for size in sizes)]]
    for agent in dict.fromkeys(agent for agent, _ in found):
        rows.append([agent, *(_solved(found[agent, size]) for size in sizes)])
    return rows


def plane_rows(results: Results) -> Rows:
    """Mean numbers of cells visited and of goals reached, by the number of tilings."""
    found = {(r["agent"], r["tilings"]): r for r in results["plane"]}
    tilings = sorted({count for _, count in found})
    rows = [["agent", *(f"{count} tiling{'s' * (count > 1)}" for count in tilings)]]
    for agent in dict.fromkeys(agent for agent, _ in found):
        mine = [found[agent, count] for count in tilings]
        cells = [f"{np.mean(r['cells']):.0f} ({np.mean(r['goals']):.1f})" for r in mine]
        rows.append([agent, *cells])
    return rows


def titles(results: Results) -> tuple[str, str, str]:
    """Titles of the three tables."""
    first, end = results["total_reward"][0]["seeds"]
    sea_first, sea_end = results["deep_sea"][0]["seeds"]
    plane = results["plane"][0]
    plane_first, plane_end = plane["seeds"]
    return (
        f"Total reward over {results['steps']:,} steps: mean and 95 % interval, "
        f"seeds {first}..{end - 1}",
        f"Deep Sea: median episodes to solve, of at most {results['max_episodes']:,} "
        f"(and how many of seeds {sea_first}..{sea_end - 1} did)",
        f"Plane, tile coding: mean cells visited (goals reached) in {plane['setting']['steps']:,} "
        f"steps, seeds {plane_first}..{plane_end - 1}",
    )


def figure(results: Results, path: Path) -> None:
    """Three panels: RiverSwim, SixArms, and Deep Sea by size."""
    # Imported here: it takes a second, which no other command needs.
    from matplotlib.figure import Figure

    from phieb.reports.end_labels import name_ends

    fig = Figure(figsize=(13, 4.4), layout="constrained")
    river, arms, sea = fig.subplots(1, 3, width_ratios=(1, 1, 1.1))
    ours = means(results)
    _draw_totals(river, ours, "RiverSwim")
    _draw_totals(arms, ours, "SixArms")
    arms.set_yticklabels([])
    for axes in (river, arms):
        axes.set_xlabel(f"total reward over {results['steps']:,} steps")
    ends = _draw_deep_sea(sea, results)
    fig.supxlabel(
        "dots: means with 95 % intervals; ×: published. Deep Sea: median with quartiles shaded; "
        r"dotted: $2^N$, one treasure by random moves",
        fontsize="small",
    )
    name_ends(fig, {sea: ends})
    save_figure(fig, path, dpi=150)


def _draw_totals(axes: Any, ours: Mapping[tuple[str, str], Mean], world: str) -> None:
    from phieb.reports.colours import colour_of

    agents = list(dict.fromkeys(agent for agent, w in ours if w == world))
    for place, agent in enumerate(agents):
        m = ours[agent, world]
        bars = [[m.mean - m.low], [m.high - m.mean]]
        axes.errorbar(m.mean, place, xerr=bars, fmt="o", color=colour_of(agent), capsize=3)
        published = TOTAL_REWARD.get(agent, {}).get(world)
        if published is not None:
            axes.plot(published, place, "x", color="black", markersize=9)
    axes.set(xscale="log", title=world)
    axes.set_yticks(range(len(agents)), agents)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)


def _draw_deep_sea(axes: Any, results: Results) -> "list[End]":
    from phieb.reports.colours import colour_of
    from phieb.reports.end_labels import End
    from phieb.reports.panel import widths

    limit, rows = results["max_episodes"], results["deep_sea"]
    agents, ends = list(dict.fromkeys(r["agent"] for r in rows)), []
    for agent, width in zip(agents, widths(len(agents)), strict=True):
        mine = sorted((r["size"], r["episodes"]) for r in rows if r["agent"] == agent)
        sizes = [size for size, _ in mine]
        capped = [[limit if e is None else e for e in episodes] for _, episodes in mine]
        low, middle, high = np.quantile(np.array(capped), (0.25, 0.5, 0.75), axis=1)
        axes.plot(sizes, middle, "-", color=colour_of(agent), linewidth=width)
        axes.plot(sizes, middle, "o", color=colour_of(agent), markersize=4 + width)
        axes.fill_between(sizes, low, high, alpha=0.2, color=colour_of(agent))
        ends.append(End(sizes[-1], float(middle[-1]), agent))
    doubling = np.arange(8, 14)
    axes.plot(doubling, 2.0**doubling, ":", color="grey")
    axes.axhline(limit, color="grey", linewidth=0.8)
    axes.text(30, limit * 1.3, "not solved", ha="center", color="#6b6b6b", fontsize="small")
    axes.set(yscale="log", title="Deep Sea", xlabel="size N", ylabel="episodes to solve")
    axes.set_ylim(top=limit * 2.2)
    axes.grid(alpha=0.3)
    return ends


def _with_interval(m: Mean | None, unit: float) -> str:
    if m is None:
        return ""
    return f"{_number(m.mean, unit)} [{_number(m.low, unit)}, {_number(m.high, unit)}]"


def _number(x: float | None, unit: float) -> str:
    """Whole numbers where the unit is 1; three significant digits of millions."""
    if x is None:
        return ""
    scaled = x / unit
    return f"{scaled:,.0f}" if unit == 1.0 else f"{scaled:.{2 if scaled >= 1 else 3}f}"


def _solved(episodes: Sequence[int | None]) -> str:
    solved = [e for e in episodes if e is not None]
    share = f"({len(solved)}/{len(episodes)})"
    if 2 * len(solved) <= len(episodes):
        return f"— {share}"
    middle = np.median([float("inf") if e is None else e for e in episodes])
    return f"{middle:,.0f} {share}"
