"""What `phieb bench` measured: a table, and bars of where the time of a decision goes."""

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich.table import Table

from phieb.runs.bench import AGENTS, PARTS

NAMES = {"epsilon": "Sarsa-ε", "phi-eb": "Sarsa-φ-EB"}
_COLOURS = ("#b8bcc4", "#4c72b0", "#55a868", "#8172b2", "#c44e52", "#dd8452", "#5a5a5a")


def rows(results: list[dict[str, Any]]) -> list[list[str]]:
    """One row a game and agent; the first is a header."""
    header = ["game", "agent", "frames/s", "emulator alone", "share", "quartiles"]
    table = [[*header, "φ-EB/ε", *(f"{part}, µs" for part in PARTS)]]
    for result in results:
        against = result["phi-eb"]["share"] / result["epsilon"]["share"]
        for agent in AGENTS:
            one = result[agent]
            low, high = one["share_quartiles"]
            table.append(
                [
                    result["game"],
                    NAMES[agent],
                    f"{one['frames_per_second']:,.0f}",
                    f"{one['emulator_frames_per_second']:,.0f}",
                    f"{one['share']:.2f}",
                    f"{low:.2f}–{high:.2f}",
                    f"{against:.2f}" if agent == "phi-eb" else "",
                    *(f"{one['microseconds'][part]:.0f}" for part in PARTS),
                ]
            )
    return table


def table(results: list[dict[str, Any]]) -> Table:
    """For the terminal."""
    header, *body = rows(results)
    drawn = Table(*header, title=f"after {results[0]['frames']:,} frames of training")
    for row in body:
        drawn.add_row(*row)
    return drawn


def figure(results: list[dict[str, Any]], path: Path) -> None:
    """A bar a game and agent, stacked of the parts of a decision."""
    bars = [(result, agent) for result in results for agent in AGENTS]
    drawn = Figure(figsize=(9, 1.2 + 0.42 * len(bars)), layout="constrained")
    axes = drawn.subplots()
    left = [0.0] * len(bars)
    for part, colour in zip(PARTS, _COLOURS, strict=True):
        widths = [result[agent]["microseconds"][part] for result, agent in bars]
        axes.barh(range(len(bars)), widths, left=left, label=part, color=colour)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    labels = [f"{result['game']}, {NAMES[agent]}" for result, agent in bars]
    axes.set_yticks(range(len(bars)), labels)
    axes.invert_yaxis()
    axes.set_xlabel("microseconds a decision (five frames)")
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    drawn.savefig(path, dpi=150)
