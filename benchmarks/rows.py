"""Rows of a CSV file in results/, added one by one as they are known, by several processes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phieb.files import writing
from phieb.reports.tables import comma_separated, read_csv


def read_rows(file: Path) -> list[dict[str, str]]:
    """The rows so far."""
    return read_csv(file) if file.exists() else []


def add_row(file: Path, row: Mapping[str, Any]) -> None:
    """Append a row; a new file starts with the names of its columns."""
    line = [str(value) for value in row.values()]
    handle = writing.open_own(file, file.parent, at_end=True)
    with open(handle, "ab", closefd=True) as opened:
        rows = [line] if opened.tell() else [list(row), line]
        writing.append(opened.fileno(), comma_separated(rows).encode())
