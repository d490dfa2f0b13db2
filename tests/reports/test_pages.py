"""The generated parts of the pages are what results/ and the code give now."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES += [ROOT / "benchmarks" / "README.md"]
MADE = runpy.run_path(str(ROOT / "results" / "pages.py"))
PARTS = MADE["parts"]()

# Parts that other programs make, and the tests that make them again.
ELSEWHERE = {
    "example": "tests/novelty/test_per_feature.py",
    "bytes": "tests/kernels/linear/test_value_tables.py",
    "pictures": "tests/test_pictures.py",
    "picture-counts": "tests/test_pictures.py",
}
# Speeds differ from one machine to the next: `phieb bench` writes these tables.
MEASURED = {"speed", "speed-parts", "growth", "growth-parts"}


def marked(page: Path) -> list[str]:
    """The names of a page's generated parts."""
    found = re.findall(r"<!-- (/?)([\w-]+) -->", page.read_text())
    opened = [name for close, name in found if not close]
    # Each part is closed before the next begins.
    assert found == [(close, name) for name in opened for close in ("", "/")], page
    return opened


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_generated_part_is_up_to_date(page: Path) -> None:
    text = page.read_text()
    for name in marked(page):
        if name in PARTS:
            assert page in MADE["PAGES"], name
            assert f"<!-- {name} -->{PARTS[name]}<!-- /{name} -->" in text, name
        elif name in ELSEWHERE:
            assert f"<!-- {name} -->" in (ROOT / ELSEWHERE[name]).read_text(), name
        else:
            assert name in MEASURED, name
    assert MADE["with_parts"](text) == text


def test_every_part_is_on_a_page() -> None:
    shown = {name for page in PAGES for name in marked(page)}
    assert shown == {*PARTS, *ELSEWHERE, *MEASURED}


def test_the_table_in_readme_has_at_most_seven_columns() -> None:
    lines = PARTS["scores"].strip().splitlines()
    assert {line.count(" | ") + 1 for line in lines} == {7}
    assert len(lines) == 2 + 10  # five games, with and without the bonus
