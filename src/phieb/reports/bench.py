"""Results of `phieb bench`: tables, and a bar chart of the parts of a decision."""

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich.table import Table

from phieb.benchmarking.bench import AGENTS, PARTS
from phieb.reports.figure_files import save_figure
from phieb.reports.tables import Rows, without_empty

Results = list[dict[str, Any]]
_COLOURS = ("#b8bcc4", "#8fa3bf", "#4c72b0", "#55a868", "#8172b2", "#c44e52", "#dd8452", "#5a5a5a")


def speed_rows(results: Results) -> Rows:
    """Speed relative to the emulator: a row for each game, stage and agent, with a header."""
    header = ["game", "frames", "agent", "frames/s", "emulator", "share", "quartiles"]
    table = [[*header, "relative to ε", "relative to product", "features", "MB"]]
    for result, agent in _bars(results):
        one = result[agent]
        low, high = one["share_quartiles"]
        table.append(
            [
                *_names(result, agent),
                f"{one['frames_per_second']:,.0f}",
                f"{one['emulator_frames_per_second']:,.0f}",
                f"{one['share']:.2f}",
                f"{low:.2f}–{high:.2f}",
                _relative("none", result, agent),
                _relative("product", result, agent) if agent == "phi" else "",
                f"{one['features']:,}",
                f"{result['megabytes']:.0f}" if result["megabytes"] else "",
            ]
        )
    return without_empty(table)


def _relative(other: str, result: dict[str, Any], agent: str) -> str:
    """The share of an agent divided by that of another, if both were measured."""
    if agent == other or other not in result:
        return ""
    return f"{result[agent]['share'] / result[other]['share']:.2f}"


def part_rows(results: Results) -> Rows:
    """Microseconds per decision by part: a row for each game, stage and agent, with a header."""
    table = [["game", "frames", "agent", *PARTS]]
    for result, agent in _bars(results):
        parts = [f"{result[agent]['microseconds'][part]:.0f}" for part in PARTS]
        table.append([*_names(result, agent), *parts])
    return table


def tables(results: Results) -> list[Table]:
    """Both tables for the terminal."""
    titles = (
        "speed relative to the emulator alone",
        "microseconds per decision by part",
    )
    drawn = []
    for title, (header, *body) in zip(
        titles, (speed_rows(results), part_rows(results)), strict=True
    ):
        drawn.append(Table(*header, title=title))
        for row in body:
            drawn[-1].add_row(*row)
    return drawn


def figure(results: Results, path: Path) -> None:
    """A stacked bar for each game, stage and agent: the parts of a decision."""
    bars = _bars(results)
    drawn = Figure(figsize=(9, 1.2 + 0.42 * len(bars)), layout="constrained")
    axes = drawn.subplots()
    left = [0.0] * len(bars)
    for part, colour in zip(PARTS, _COLOURS, strict=True):
        widths = [result[agent]["microseconds"][part] for result, agent in bars]
        axes.barh(range(len(bars)), widths, left=left, label=part, color=colour)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    labels = [", ".join(_names(*bar)) for bar in bars]
    axes.set_yticks(range(len(bars)), labels)
    axes.invert_yaxis()
    axes.set_xlabel("microseconds per decision (five frames)")
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    save_figure(drawn, path, dpi=150)


def _bars(results: Results) -> list[tuple[dict[str, Any], str]]:
    return [(result, agent) for result in results for agent in result if agent in AGENTS]


def _names(result: dict[str, Any], agent: str) -> list[str]:
    frames = result["frames"]
    return [
        result["game"],
        f"{round(frames / 1e6, 2):g} M" if frames >= 10_000 else str(frames),
        AGENTS[agent],
    ]
