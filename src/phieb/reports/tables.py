"""Tables as rows of text, the first a header; written for terminals, pages, papers and programs."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from phieb.files import reading, writing
from phieb.files.errors import DamagedError
from phieb.plain_text import cell, from_cell, visible

MOST_ROWS = 1_000_000  # that are read from a file

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
    """Rows without the columns that are empty except for their header."""
    used = [place for place in range(len(rows[0])) if any(row[place] for row in rows[1:])]
    return [[row[place] for place in used] for row in rows]


def without(names: Sequence[str], rows: Rows) -> Rows:
    """Rows without the columns of these names."""
    kept = [place for place, name in enumerate(rows[0]) if name not in names]
    return [[row[place] for place in kept] for row in rows]


def table(title: str, rows: Rows) -> Table:
    """A table for the terminal."""
    made = Table(
        title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for place, name in enumerate(rows[0]):
        # In a narrow terminal numbers are folded, so that names are never cut.
        side: Literal["left", "right"] = "right" if place else "left"
        made.add_column(name, justify=side, no_wrap=place < 2, overflow="fold")
    for row in rows[1:]:
        made.add_row(*map(visible, row))
    return made


def fitted(made: Table, console: Console, dispensable: Sequence[str]) -> Table:
    """Remove columns, in the order of `dispensable`, until a table fits the console's width."""
    for name in dispensable:
        if (
            Measurement.get(console, console.options.update(width=10_000), made).maximum
            <= console.width
        ):
            break
        made.columns = [column for column in made.columns if column.header != name]
    return made


def text(title: str, rows: Rows) -> str:
    """A table as plain text."""
    console = Console(file=io.StringIO(), width=10_000, markup=False, emoji=False)
    console.print(table(title, rows))
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in lines)


def markdown(rows: Rows) -> str:
    """A table in Markdown."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    escaped = ([visible(text).replace("|", "\\|") for text in line] for line in lines)
    return "\n".join("| " + " | ".join(line) + " |" for line in escaped)


def comma_separated(rows: Rows) -> str:
    """A table as comma-separated values."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([map(cell, row) for row in rows])
    return file.getvalue()


def write_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], path: Path) -> None:
    """Write rows, each a mapping from column to value, as comma-separated values."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in row.items()} for row in rows)
    writing.write(path, file.getvalue())


def read_csv(path: Path) -> list[dict[str, str]]:
    """Read what `write_csv` wrote.

    Raises:
        DamagedError: the file cannot be read, or is no table.
    """
    try:
        text = reading.read(path, reading.TABLE).decode()
        rows = list(islice(csv.DictReader(io.StringIO(text, newline="")), MOST_ROWS + 1))
    except (csv.Error, UnicodeDecodeError) as error:
        raise DamagedError(f"{path}: is not a table: {error}") from None
    if len(rows) > MOST_ROWS:
        raise DamagedError(f"{path}: has more than {MOST_ROWS:,} rows")
    for number, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            raise DamagedError(f"{path}: row {number} has more or fewer columns than there are")
    return [{name: from_cell(text) for name, text in row.items()} for row in rows]


def latex(rows: Rows) -> str:
    """A LaTeX tabular, which needs the package booktabs."""
    header, *body = [" & ".join(map(_escaped, row)) + r" \\" for row in rows]
    columns = "l" + "r" * (len(rows[0]) - 1)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", header, r"\midrule", *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in visible(text))
