"""Tables and figure of the small worlds, from the results of `phieb small`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phieb.intervals import Mean, bootstrap_mean
from phieb.reports.figure_files import save_figure
from phieb.reports.published import TOTAL_REWARD
from phieb.reports.tables import Rows

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

    fig = Figure(figsize=(13, 4.2), layout="constrained")
    river, arms, sea = fig.subplots(1, 3, width_ratios=(1, 1, 1.1))
    ours = means(results)
    _draw_totals(river, ours, "RiverSwim")
    _draw_totals(arms, ours, "SixArms")
    arms.set_yticklabels([])
    _draw_deep_sea(sea, results)
    save_figure(fig, path, dpi=150)


def _draw_totals(axes: Any, ours: Mapping[tuple[str, str], Mean], world: str) -> None:
    agents = list(dict.fromkeys(agent for agent, w in ours if w == world))
    for place, agent in enumerate(agents):
        m = ours[agent, world]
        bars = [[m.mean - m.low], [m.high - m.mean]]
        axes.errorbar(m.mean, place, xerr=bars, fmt="o", color="C0", capsize=3)
        published = TOTAL_REWARD.get(agent, {}).get(world)
        if published is not None:
            axes.plot(published, place, "x", color="C3", markersize=9)
    axes.plot([], [], "o", color="C0", label="mean, 95 % interval")
    axes.plot([], [], "x", color="C3", label="published")
    axes.set(xscale="log", title=world, xlabel="total reward over 5,000 steps")
    axes.set_yticks(range(len(agents)), agents)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower left", fontsize="small")


def _draw_deep_sea(axes: Any, results: Results) -> None:
    limit = results["max_episodes"]
    rows = results["deep_sea"]
    for agent in dict.fromkeys(r["agent"] for r in rows):
        mine = sorted((r["size"], r["episodes"]) for r in rows if r["agent"] == agent)
        sizes = [size for size, _ in mine]
        capped = [[limit if e is None else e for e in episodes] for _, episodes in mine]
        low, middle, high = np.quantile(np.array(capped), (0.25, 0.5, 0.75), axis=1)
        (line,) = axes.plot(sizes, middle, "o-", label=agent)
        axes.fill_between(sizes, low, high, alpha=0.2, color=line.get_color())
    doubling = np.arange(8, 14)
    axes.plot(
        doubling, 2.0**doubling, ":", color="grey", label=r"$2^N$: one treasure by random moves"
    )
    axes.axhline(limit, color="grey", linewidth=0.8)
    axes.text(50, limit * 1.08, "not solved", ha="right", color="grey", fontsize="small")
    axes.set(yscale="log", title="Deep Sea", xlabel="size N", ylabel="episodes to solve")
    axes.set_ylim(top=limit * 1.6)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small", title="median, quartiles shaded", title_fontsize="small")


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
