"""Tables and figure of the small worlds, from numbers as they are written."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from phieb.experiments.small_worlds import run as small
from phieb.intervals import bootstrap_mean
from phieb.reports import small as report
from phieb.reports.tables import markdown, table


@pytest.fixture(scope="module")
def results() -> report.Results:
    made: report.Results = json.loads(json.dumps(small.run(2, lambda: None)))
    return made


def test_the_rewards_stand_beside_the_published(results: report.Results) -> None:
    header, *rows = report.reward_rows(results)
    (mbie,) = [dict(zip(header, row, strict=True)) for row in rows if row[0] == "MBIE-EB"]
    m = report.means(results)["MBIE-EB", "RiverSwim"]
    assert mbie["RiverSwim, M"] == f"{m.mean / 1e6:.2f} [{m.low / 1e6:.2f}, {m.high / 1e6:.2f}]"
    assert mbie["published"] == "8.30"  # the second of that name: SixArms
    assert rows[-1] == ["E³", "", "2.45", "", "2.10", ""]


def test_deep_sea_counts_who_solved_it() -> None:
    row = {"agent": "A", "seeds": [0, 3], "world": "DeepSea"}
    made = {
        "deep_sea": [
            {**row, "size": 10, "episodes": [7, 9, None]},
            {**row, "size": 20, "episodes": [7, None, None]},
        ],
    }
    assert report.deep_sea_rows(made)[1] == ["A", "9 (2/3)", "— (1/3)"]


def test_the_table_for_the_terminal_has_every_cell() -> None:
    console = Console(width=80, file=io.StringIO())
    console.print(table("title", [["a", "b"], ["x", "1"]]))
    assert "title" in (text := console.file.getvalue())  # type: ignore[attr-defined]
    assert all(cell in text for cell in ("a", "b", "x", "1"))


def test_the_page_shows_the_numbers_that_were_written() -> None:
    root = Path(__file__).parents[2]
    written = json.loads((root / "results" / "small.json").read_text())
    text = (root / "docs" / "small-worlds.md").read_text()
    assert markdown(report.reward_rows(written)) in text
    assert markdown(report.deep_sea_rows(written)) in text
    assert markdown(report.plane_rows(written)) in text


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_figure(results: report.Results, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"small.{ending}"
    report.figure(results, path)
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert path.read_bytes().startswith(start)


def test_intervals_cover_what_they_should() -> None:
    """Of 200 samples from a known distribution about 95 % of intervals hold its mean."""
    import numpy as np

    rng = np.random.default_rng(5)
    held = 0
    for _ in range(200):
        m = bootstrap_mean(rng.normal(3.0, 2.0, 60).tolist())
        held += m.low <= 3.0 <= m.high
    assert 180 <= held <= 198


def test_the_same_values_give_the_same_interval() -> None:
    assert bootstrap_mean([1.0, 2.0, 4.0]) == bootstrap_mean([1.0, 2.0, 4.0])
