"""What `phieb bench` measured: a table, and bars of where the time of a decision goes."""

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich.table import Table

from phieb.runs.bench import AGENTS, PARTS

NAMES = {"epsilon": "Sarsa-ε", "phi-eb": "Sarsa-φ-EB"}
_COLOURS = ("#b8bcc4", "#8fa3bf", "#4c72b0", "#55a868", "#8172b2", "#c44e52", "#dd8452", "#5a5a5a")


def rows(results: list[dict[str, Any]]) -> list[list[str]]:
    """One row a game, stage and agent; the first is a header."""
    header = ["game", "frames", "agent", "frames/s", "emulator", "share", "quartiles"]
    table = [[*header, "φ-EB/ε", "features", "MB", *PARTS]]
    for result, agent in _bars(results):
        one = result[agent]
        low, high = one["share_quartiles"]
        both = agent == "phi-eb" and "epsilon" in result
        table.append(
            [
                result["game"],
                _short(result["frames"]),
                NAMES[agent],
                f"{one['frames_per_second']:,.0f}",
                f"{one['emulator_frames_per_second']:,.0f}",
                f"{one['share']:.2f}",
                f"{low:.2f}–{high:.2f}",
                f"{one['share'] / result['epsilon']['share']:.2f}" if both else "",
                f"{one['features']:,}",
                f"{result['megabytes']:.0f}" if result["megabytes"] else "",
                *(f"{one['microseconds'][part]:.0f}" for part in PARTS),
            ]
        )
    return table


def table(results: list[dict[str, Any]]) -> Table:
    """For the terminal."""
    header, *body = rows(results)
    title = "training beside the emulator alone, and the microseconds of a decision in each part"
    drawn = Table(*header, title=title)
    for row in body:
        drawn.add_row(*row)
    return drawn


def figure(results: list[dict[str, Any]], path: Path) -> None:
    """A bar a game, stage and agent, stacked of the parts of a decision."""
    bars = _bars(results)
    drawn = Figure(figsize=(9, 1.2 + 0.42 * len(bars)), layout="constrained")
    axes = drawn.subplots()
    left = [0.0] * len(bars)
    for part, colour in zip(PARTS, _COLOURS, strict=True):
        widths = [result[agent]["microseconds"][part] for result, agent in bars]
        axes.barh(range(len(bars)), widths, left=left, label=part, color=colour)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    labels = [f"{r['game']}, {NAMES[agent]}, {_short(r['frames'])}" for r, agent in bars]
    axes.set_yticks(range(len(bars)), labels)
    axes.invert_yaxis()
    axes.set_xlabel("microseconds a decision (five frames)")
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    drawn.savefig(path, dpi=150)


def _bars(results: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    return [(result, agent) for result in results for agent in AGENTS if agent in result]


def _short(frames: int) -> str:
    return f"{frames / 1e6:g}M" if frames >= 100_000 else f"{frames:,}"
