"""The twins stand alone: what they are compared with is no part of them."""

import ast
import sys
from pathlib import Path

import pytest

TWINS = sorted((Path(__file__).parent / "naive").glob("*.py"))


@pytest.mark.parametrize("path", TWINS, ids=lambda path: path.stem)
def test_a_twin_imports_the_standard_library_numpy_and_other_twins_only(path: Path) -> None:
    for name in imported(path.read_text()):
        top = name.split(".")[0]
        assert top in {*sys.stdlib_module_names, "numpy"} or name.startswith("tests.naive"), name


def imported(code: str) -> list[str]:
    """The modules that a program imports, those within functions too."""
    names = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append("." * node.level + (node.module or ""))
        elif isinstance(node, ast.Name) and node.id in ("__import__", "importlib"):
            names.append(node.id)
    return names


def test_every_kind_of_import_is_found() -> None:
    code = "import phieb.novelty\ndef f():\n    from phieb import sparse\n__import__('phieb')"
    assert imported(code) == ["phieb.novelty", "phieb", "__import__"]
    assert len(TWINS) > 5
