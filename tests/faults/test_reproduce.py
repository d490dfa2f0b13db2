"""`phieb reproduce`, killed in the middle and started again."""

import csv
import json
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from phieb.training import Run
from tests.faults.support import command

SHORT = ["--frames", "14k", "--trials", "1", "--games", "venture", "--episodes", "1"]
LONG = ["--frames", "100k", "--trials", "2", "--games", "venture,freeway", "--episodes", "2"]


def came_out(out: Path) -> dict[str, Any]:
    """All but how fast it was."""
    found: dict[str, Any] = {}
    for path in sorted(folder for folder in out.iterdir() if (folder / "config.json").exists()):
        lines = Run(path).episodes()
        evaluation = json.loads((path / "evaluation.json").read_text())
        # They cover the log, and so the speeds in it.
        del evaluation["digest"], evaluation["checkpoint"]["digest"]
        found[path.name] = (
            [{name: line[name] for name in line if name != "frames_per_second"} for line in lines],
            evaluation,
        )
    report = out / "report"
    with (report / "ledger.csv").open() as file:
        rows = list(csv.DictReader(file))
    found["ledger"] = [{k: row[k] for k in row if k != "frames_per_second"} for row in rows]
    for name in ("scores.txt", "table-1.tex", "figure-1.png", "figure-1-trials.svg"):
        found[name] = (report / name).read_bytes()
    return found


@pytest.mark.parametrize(
    "given", [SHORT, pytest.param(LONG, marks=[pytest.mark.slow, pytest.mark.faults])]
)
def test_killed_in_the_middle_and_started_again_it_ends_the_same(
    given: list[str], tmp_path: Path
) -> None:
    whole, broken = (command("reproduce", *given, "--out", tmp_path / n) for n in "ab")
    done = subprocess.run(whole, capture_output=True, text=True, check=True)
    assert "Scores of the game, without bonus" in done.stdout
    assert done.stderr == ""
    process = subprocess.Popen(broken, stdout=subprocess.DEVNULL)
    while process.poll() is None and not list((tmp_path / "b").glob("*/evaluation.json")):
        time.sleep(0.05)
    process.kill()
    process.wait()
    trials = [path.parent.name for path in (tmp_path / "a").glob("*/config.json")]
    assert len(list((tmp_path / "b").glob("*/evaluation.json"))) < len(trials)
    time.sleep(5.0)  # its trials end by themselves
    subprocess.run(broken, capture_output=True, check=True)
    expected = came_out(tmp_path / "a")
    assert len(trials) == len(expected["ledger"]) == (10 if given is LONG else 2)
    assert came_out(tmp_path / "b") == expected
