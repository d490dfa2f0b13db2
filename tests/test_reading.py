"""docs/reading.md shows lines of the code as they are."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "reading.md").read_text()
EXCERPTS = re.findall(r"^`([\w/]+\.py)`\n\n```py\n(.*?)```$", PAGE, re.DOTALL | re.MULTILINE)


def test_every_excerpt_names_its_file() -> None:
    assert len(EXCERPTS) == PAGE.count("```py\n") > 5


@pytest.mark.parametrize(("path", "excerpt"), EXCERPTS)
def test_an_excerpt_is_in_its_file(path: str, excerpt: str) -> None:
    lines, shown = (ROOT / path).read_text().splitlines(), excerpt.splitlines()
    parts = (lines[k : k + len(shown)] for k in range(len(lines)))
    assert any(dedent("\n".join(part)).splitlines() == shown for part in parts), path


def test_the_symbols_it_names_are_there() -> None:
    for name in set(re.findall(r"`(phieb\.[\w.]+)`", PAGE)):
        module, _, symbol = name.rpartition(".")
        file = ROOT / "src" / Path(*name.split("."))
        package = ROOT / "src" / Path(*module.split(".")) / "__init__.py"
        assert file.with_suffix(".py").exists() or symbol in package.read_text(), name
