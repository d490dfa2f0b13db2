"""A folder of a thousand runs, which `runs` lists in seconds."""

import os
import resource
import shutil
from pathlib import Path

import pytest

from tests.faults.support import phieb

NUMBER, SECONDS = 1_000, 5.0


@pytest.mark.slow
@pytest.mark.faults
def test_a_thousand_runs_are_listed_in_seconds(begun_once: Path, tmp_path: Path) -> None:
    """In seconds of a core, as a test shares its machine with others."""
    for number in range(NUMBER):
        shutil.copytree(begun_once, tmp_path / f"run-{number:04d}", copy_function=os.link)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = phieb("runs", tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("run-") == NUMBER
    assert after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime < SECONDS
