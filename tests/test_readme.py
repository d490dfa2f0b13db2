"""What the documents show runs as it stands there."""

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(
        block,
        id=f"{page.name}-{n}",
        marks=[pytest.mark.sb3] if "stable_baselines3" in block else [],
    )
    for page in PAGES
    for n, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_the_code_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    exec(block, names)
    assert len(names) > 2


def test_the_program_with_the_bonus_does_better() -> None:
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "wrappers.md").read_text(), re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(blocks[-1], names)
    assert sum(names["bonus"] > 0.9) > 100 > 10 > sum(names["plain"] > 0.9)


def test_every_symbol_and_test_in_the_paper_map_exists() -> None:
    text = (ROOT / "docs" / "paper-map.md").read_text()
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text)
    assert len(named) > 10
    for path, test in named:
        assert not test or f"def {test}(" in (ROOT / path).read_text(), (path, test)
    for dotted in re.findall(r"`(phieb\.[\w.]+)`", text):
        assert _resolves(dotted), dotted


def _resolves(dotted: str) -> bool:
    import importlib

    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            found = getattr(found, name, None)
        return found is not None
    return False
