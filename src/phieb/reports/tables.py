"""Tables as rows of text, the first a header: for the terminal, for pages, papers and programs."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

Rows = list[list[str]]

_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "β": r"$\beta$",
    "ε": r"$\epsilon$",
    "φ": r"$\phi$",
    "–": "--",
}


def without_empty(rows: Rows) -> Rows:
    """Without columns that have nothing but a header."""
    used = [place for place in range(len(rows[0])) if any(row[place] for row in rows[1:])]
    return [[row[place] for place in used] for row in rows]


def without(names: Sequence[str], rows: Rows) -> Rows:
    """Without the columns of these names."""
    kept = [place for place, name in enumerate(rows[0]) if name not in names]
    return [[row[place] for place in kept] for row in rows]


def table(title: str, rows: Rows) -> Table:
    """Rows for the terminal."""
    made = Table(
        title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for place, name in enumerate(rows[0]):
        # In a narrow terminal numbers are folded before names are cut.
        side: Literal["left", "right"] = "right" if place else "left"
        made.add_column(name, justify=side, no_wrap=place < 2, overflow="fold")
    for row in rows[1:]:
        made.add_row(*row)
    return made


def text(title: str, rows: Rows) -> str:
    """Rows for a file of plain text."""
    console = Console(file=io.StringIO(), width=10_000, markup=False, emoji=False)
    console.print(table(title, rows))
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in lines)


def markdown(rows: Rows) -> str:
    """Rows for a page."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join("| " + " | ".join(line) + " |" for line in escaped)


def comma_separated(rows: Rows) -> str:
    """Rows for a program."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def write_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], path: Path) -> None:
    """Rows by the names of their columns, as a file of values separated by commas."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_csv(path: Path) -> list[dict[str, str]]:
    """What `write_csv` wrote."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def latex(rows: Rows) -> str:
    """Rows for a paper: a tabular that needs the package booktabs."""
    header, *body = [" & ".join(map(_escaped, row)) + r" \\" for row in rows]
    columns = "l" + "r" * (len(rows[0]) - 1)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", header, r"\midrule", *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _escaped(cell: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in cell)
