"""`phieb reproduce`, killed in the middle and started again."""

import csv
import json
import subprocess
import time
from pathlib import Path
from typing import Any

from phieb.runs import Run
from tests.faults.support import command

GIVEN = [
    "--frames",
    "18k",
    "--trials",
    "1",
    "--games",
    "venture,freeway",
    "--episodes",
    "1",
    "--workers",
    "2",
]
TRIALS = [
    "freeway-none-1",
    "freeway-phi-1",
    "freeway-phi-beta0.035-1",
    "venture-none-1",
    "venture-phi-1",
]


def given(out: Path) -> list[str]:
    return command("reproduce", *GIVEN, "--out", out)


def came_out(out: Path) -> dict[str, Any]:
    """All but how fast it was."""
    found: dict[str, Any] = {}
    for path in sorted(folder for folder in out.iterdir() if (folder / "config.json").exists()):
        lines = Run(path).episodes()
        found[path.name] = (
            [{name: line[name] for name in line if name != "frames_per_second"} for line in lines],
            json.loads((path / "evaluation.json").read_text()),
        )
    report = out / "report"
    with (report / "ledger.csv").open() as file:
        rows = list(csv.DictReader(file))
    found["ledger"] = [{k: row[k] for k in row if k != "frames_per_second"} for row in rows]
    for name in ("scores.txt", "table-1.tex", "figure-1.png", "figure-1-trials.svg"):
        found[name] = (report / name).read_bytes()
    return found


def test_killed_in_the_middle_and_started_again_it_ends_the_same(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    done = subprocess.run(given(whole), capture_output=True, text=True, check=True)
    assert "Scores of the game, without bonus" in done.stdout
    assert done.stderr == ""
    process = subprocess.Popen(given(broken), stdout=subprocess.DEVNULL)
    while process.poll() is None and not list(broken.glob("*/evaluation.json")):
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert len(list(broken.glob("*/evaluation.json"))) < len(TRIALS)
    time.sleep(5.0)  # its trials end by themselves
    subprocess.run(given(broken), capture_output=True, check=True)
    expected = came_out(whole)
    assert {name for name in expected if (whole / name).is_dir()} == set(TRIALS)
    assert [row["frames"] for row in expected["ledger"]] != []
    assert came_out(broken) == expected
