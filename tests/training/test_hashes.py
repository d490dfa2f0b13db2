"""No change of numbers without a new minor version: runs have the hashes of the release."""

import json
import runpy
from pathlib import Path

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "results" / "hashes.py"))
FILE = json.loads(SCRIPT["FILE"].read_text())
SHORT = ("venture-phi", "frostbite-phi", "qbert-none")  # the others take minutes


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in SHORT else pytest.mark.slow) for name in FILE["runs"]],
)
def test_a_run_has_the_numbers_of_the_release(name: str) -> None:
    found, here = SCRIPT["hashes_of"](name), SCRIPT["made_with"]()
    if found != FILE["runs"][name] and here != FILE["made_with"]:
        pytest.skip(f"made with {FILE['made_with']}, this is {here}: last digits may differ")
    assert found == FILE["runs"][name]


def test_the_table_is_whole() -> None:
    assert list(FILE["runs"]) == SCRIPT["NAMES"]
    hashes = [one for run in FILE["runs"].values() for one in run.values()]
    assert len(set(hashes)) == len(hashes) == 20
