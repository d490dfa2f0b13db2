"""The tables and the figure of docs/deep.md, from what the programs beside wrote; needs no torch.

python -m benchmarks.pictures_page
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from phieb.files import writing
from phieb.intervals import bootstrap_band, bootstrap_mean
from phieb.reports.colours import OF_BONUS
from phieb.reports.figure_files import save_figure
from phieb.reports.tables import markdown, read_csv

ROOT = Path(__file__).parents[1]
PAGE, FIGURE = ROOT / "docs" / "deep.md", ROOT / "docs" / "pictures.png"
COLOURS = {
    "no bonus": OF_BONUS["none"],
    "counts of pictures": OF_BONUS["count"],
    "SimHash of pictures": OF_BONUS["simhash"],
    "φ-EB, features by hand": OF_BONUS["phi"],
    "φ-EB, own units": OF_BONUS["naive-phi"],
    "φ-EB, own units, 8 together": OF_BONUS["cts"],
    "RND": OF_BONUS["simhash-bass"],
}
SHOW = "![Return and coverage of PPO against steps, a panel for each world](pictures.png)"
SHOWN = {"returns": "return", "coverage": "covered"}
Rows = Sequence[dict[str, str]]


def by_arm(rows: Rows) -> dict[tuple[str, str], list[dict[str, str]]]:
    """Rows by task and arm, in the order of the tasks in the file and of the arms above."""
    tasks = dict.fromkeys(row["task"] for row in rows)
    found = {}
    for task in tasks:
        for arm in COLOURS:
            if mine := [row for row in rows if (row["task"], row["arm"]) == (task, arm)]:
                found[task, arm] = mine
    return found


def results_table(rows: Rows) -> str:
    """Return and coverage of each arm, in Markdown."""
    header = ["task", "bonus", "seeds", "return, last 100 episodes", "covered, mean of the run"]
    table = [[*header, "seeds that reach the goal", "first goal, median step"]]
    for (task, arm), mine in by_arm(rows).items():
        firsts = [int(row["first_win"]) for row in mine if row["first_win"]]
        cells = [
            _with_interval([float(row[name]) for row in mine]) for name in ("return", "covered")
        ]
        first = f"{np.median(firsts):,.0f}" if firsts else "–"
        table.append([task, arm, str(len(mine)), *cells, f"{len(firsts)} of {len(mine)}", first])
    return markdown(table)


def counts_table(rows: Rows) -> str:
    """Pseudocounts against true counts, medians over seeds, in Markdown."""
    columns = {
        "factor": "estimated / true",
        "ranks": "rank correlation",
        "new": "estimate where the true count is 0",
        "refit_ratio": "after / before a refit",
        "refit_ranks": "their rank correlation",
    }
    table = [["count", "seeds", *columns.values()]]
    for arm in dict.fromkeys(row["bonus"] for row in rows):
        mine = [row for row in rows if row["bonus"] == arm]
        cells = [_median([row[name] for row in mine]) for name in columns]
        table.append([arm, str(len(mine)), *cells])
    return markdown(table)


def figure(rows: Rows) -> Figure:
    """Return and coverage against steps: a row of panels for each task."""
    groups = by_arm(rows)
    tasks = list(dict.fromkeys(task for task, _ in groups))
    made = Figure(figsize=(11, 3.4 * len(tasks) + 0.7), layout="constrained")
    panels = made.subplots(len(tasks), 2, squeeze=False)
    lines: dict[str, Any] = {}
    for (task, arm), mine in groups.items():
        for axes, name in zip(panels[tasks.index(task)], SHOWN, strict=True):
            curves = np.array([[float(v) for v in row[name].split()] for row in mine])
            steps = (np.arange(curves.shape[1]) + 0.5) * int(mine[0]["steps"]) / curves.shape[1]
            (lines[arm],) = axes.plot(steps, curves.mean(axis=0), color=COLOURS[arm])
            _band(axes, steps, curves, COLOURS[arm])
            axes.set(
                title=f"{task}: {'return' if name == 'returns' else 'covered'}", ylim=(-0.03, 1.03)
            )
            axes.grid(alpha=0.25)
    for axes in panels[-1]:
        axes.set_xlabel("steps")
    made.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=4, frameon=False)
    return made


def tables() -> dict[str, str]:
    """What stands between the marks of the page."""
    rows = _read("pictures.csv")
    return {
        "pictures": f"{results_table(rows)}\n\n{SHOW}" if rows else "No run has finished yet.",
        "picture-counts": counts_table(_read("picture-counts.csv")),
    }


def _read(name: str) -> list[dict[str, str]]:
    path = ROOT / "results" / name
    return read_csv(path) if path.exists() else []


def _band(axes: Any, steps: NDArray[np.float64], curves: NDArray[np.float64], colour: str) -> None:
    if len(curves) > 1:
        axes.fill_between(steps, *bootstrap_band(curves), color=colour, alpha=0.15, linewidth=0)


def _with_interval(values: Sequence[float]) -> str:
    """The mean, and its 95 % interval if there are several values."""
    found = bootstrap_mean(values)
    interval = f" [{found.low:.2f}, {found.high:.2f}]" if len(values) > 1 else ""
    return f"{found.mean:.2f}{interval}"


def _median(texts: Sequence[str]) -> str:
    numbers = [float(text) for text in texts if text]
    return f"{np.median(numbers):.2g}" if numbers else ""


def main() -> None:
    """Write both."""
    page = PAGE.read_text(encoding="utf-8")
    for name, made in tables().items():
        between = rf"(<!-- {name} -->\n).*(<!-- /{name} -->)"
        page = re.sub(between, rf"\g<1>{made}\n\g<2>", page, flags=re.DOTALL)
    writing.write(PAGE, page)
    if rows := _read("pictures.csv"):
        save_figure(figure(rows), FIGURE, dpi=110)


if __name__ == "__main__":
    main()
