"""What the benchmarks that measure one game after another have in common."""

import argparse
import json
import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

SLICE = 50  # decisions that are timed together


def measure_all(
    doc: str,
    measure: Callable[[str, int], dict[str, Any]],
    games: tuple[str, ...],
    decisions: int,
    columns: dict[str, str],
) -> None:
    """Measure each game and print a table; the command line says how long, and where numbers go.

    Args:
        doc: of the program; its first line is its help.
        measure: a row of the table, from a game and a number of decisions.
        games: what to measure.
        decisions: how many, unless the command line says otherwise.
        columns: the format of a cell, by the title of its column.
    """
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--decisions", type=int, default=decisions)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if given.decisions < 6 * SLICE:
        parser.error(f"--decisions must be at least {6 * SLICE}, got {given.decisions}")
    names = ("phieb", "ale-py", "numba", "numpy")
    print(platform.processor() or platform.machine(), *(f"{n} {version(n)}" for n in names))
    print(f"| {' | '.join(columns)} |")
    print("|---" * len(columns) + "|")
    rows = []
    for game in games:
        rows.append(measure(game, given.decisions))
        print(f"| {' | '.join(columns.values())} |".format(**rows[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))
