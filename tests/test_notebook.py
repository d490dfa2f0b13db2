"""notebooks/phi_eb.ipynb runs, and its outputs are those of its sources."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
PATH = ROOT / "notebooks" / "phi_eb.ipynb"
SHORTENED = "PHIEB_VENTURE_FRAMES"  # from the cell that reads it on, outputs depend on it
MOST = 1_000_000  # bytes
AGAIN = "run `make notebook`, and read what comes out"


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notebook", ROOT / "tools" / "notebook.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def committed() -> Any:
    return nbformat.read(PATH, as_version=4)  # type: ignore[no-untyped-call]


def test_its_outputs_are_of_its_sources() -> None:
    notebook = committed()
    assert notebook.metadata.phieb.sources == tool().sources(notebook), AGAIN
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), AGAIN
    assert not [one for cell in code for one in cell.outputs if one.output_type == "error"]


def test_it_is_small_and_has_pictures() -> None:
    assert PATH.stat().st_size < MOST
    outputs = [one for cell in committed().cells for one in cell.get("outputs", ())]
    assert sum("image/png" in one.get("data", {}) for one in outputs) >= 7


def test_it_prints_what_is_committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHORTENED, "40_000")
    before, now = committed(), committed()
    tool().run(now, tmp_path, timeout=300)
    assert any(SHORTENED in cell.source for cell in now.cells)
    for old, new in zip(before.cells, now.cells, strict=True):
        if SHORTENED in new.source:
            break
        assert tool().printed(new) == tool().printed(old), AGAIN
