"""Tables and figure of `phieb counts`, from numbers as they are written."""

import json
import math
import runpy
from pathlib import Path

import pytest

from phieb.experiments.counts.plan import TILINGS, tilings
from phieb.reports import counts as report
from phieb.reports.counts_figure import figure
from phieb.reports.tables import text

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def written() -> report.Results:
    found: report.Results = json.loads((ROOT / "results" / "counts.json").read_text())
    return found


def test_the_page_shows_the_numbers_that_were_written() -> None:
    with_parts = runpy.run_path(str(ROOT / "results" / "pages.py"))["with_parts"]
    page = (ROOT / "docs" / "counts.md").read_text()
    assert "<!-- counts -->\n| bonus |" in page
    assert "<!-- counts-new -->\n| bonus |" in page
    assert with_parts(page) == page


def test_the_page_names_the_command_that_was_run(written: report.Results) -> None:
    page = (ROOT / "docs" / "counts.md").read_text()
    assert f"phieb counts --seeds {written['seeds'][1]} --steps {written['steps']} " in page


def test_what_the_page_claims_is_in_the_numbers(written: report.Results) -> None:
    for k in TILINGS:
        rows = report.chosen(written, bonus="per feature", sees=tilings(k))
        assert all(0.5 <= row["factor"] <= 2.0 for row in rows)
    for bonus, low, high in (("per feature", 20, 200), ("product", 2, 10)):
        rows = report.chosen(written, bonus=bonus, sees="RandomBinary")
        assert all(low < row["factor"] < high for row in rows)
        assert report.rank(rows) < 0.4


def test_cells_are_medians_of_the_seeds() -> None:
    row = {"world": "grid", "behaviour": "random", "bonus": "CTS", "sees": "picture"}
    made = {
        "rows": [
            {**row, "factor": 1.0, "rank": 0.5, "new": None},
            {**row, "factor": 2.0, "rank": 0.7, "new": 4.0},
            {**row, "factor": None, "rank": None, "new": 6.0},
        ]
    }
    assert report.factor_rows(made) == [
        ["bonus", "sees", "grid, random"],
        ["CTS", "picture", "2.00 (0.60)"],
    ]
    assert report.new_rows(made)[1][2] == "5.00"
    assert report.number(math.inf) == "∞"
    assert report.number(math.nan) == "—"


def test_the_tables_fit_a_terminal_of_100_columns(written: report.Results) -> None:
    for rows in (report.factor_rows(written), report.new_rows(written)):
        assert max(map(len, text("", rows).splitlines())) <= 100


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_figure(written: report.Results, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"counts.{ending}"
    figure(written, path)
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert path.read_bytes().startswith(start)
