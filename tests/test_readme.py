"""What the documents show runs as it stands there."""

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PIL.GifImagePlugin import GifImageFile

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


def test_a_program_that_evaluates_runs_as_a_file(tmp_path: Path) -> None:
    """Processes that evaluate import the file, which `exec` has none of."""
    programs = [p.values[0] for p in BLOCKS if "evaluation.evaluate import" in str(p.values[0])]
    assert programs
    for program in programs:
        (tmp_path / "program.py").write_text(str(program))
        command = [sys.executable, "program.py"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_program_with_the_bonus_does_better() -> None:
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "wrappers.md").read_text(), re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(next(block for block in blocks if "q_learning" in block), names)
    assert sum(names["bonus"] > 0.9) > 100 > 10 > sum(names["plain"] > 0.9)


def test_the_animated_picture_is_small_and_moves() -> None:
    path = ROOT / "docs" / "venture.gif"
    assert path.stat().st_size <= 2_000_000
    with Image.open(path) as picture:
        assert isinstance(picture, GifImageFile)
        assert picture.n_frames > 100


def test_every_symbol_and_test_in_the_paper_map_exists() -> None:
    text = (ROOT / "docs" / "paper-map.md").read_text()
    for name in re.findall(r"`([^`]+)`", text):
        if test := re.fullmatch(r"(tests/[\w/]+\.py)(?:::(\w+))?", name):
            assert not test[2] or f"def {test[2]}(" in (ROOT / test[1]).read_text(), name
        elif command := re.fullmatch(r"phieb (\w+)", name):
            assert (ROOT / "src" / "phieb" / "cli" / f"{command[1]}.py").exists(), name
        elif target := re.fullmatch(r"make (\w+)", name):
            assert f"\n{target[1]}:" in (ROOT / "Makefile").read_text(), name
        else:
            symbol = re.fullmatch(r"(phieb\.[\w.]+)(?:\((\w+)=.+\))?", name)
            assert symbol is not None, name
            found = _resolved(symbol[1])
            assert found is not None, name
            assert not symbol[2] or symbol[2] in inspect.signature(found).parameters, name


def test_the_paper_map_has_every_line_of_algorithm_1_for_both_learners() -> None:
    text = (ROOT / "docs" / "paper-map.md").read_text().split("## All items")[0]
    rows = [line for line in text.splitlines() if line.startswith("| ") and "`phieb." in line]
    _, *lines = [re.findall(r"`(phieb\.[\w.]+)`", row) for row in rows]
    assert len(lines) == 8  # of the paper's box, between `while` and `end while`
    assert all(len(symbols) == 2 for symbols in lines)


def _resolved(dotted: str) -> Any:
    """The module, class or function of this name; None if there is none."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            found = getattr(found, name, None)
        return found
    return None
