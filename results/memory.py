"""Sample the resident memory of trials while they run, into memory.csv.

    python results/memory.py RUNS [MINUTES]

Once a minute, for so many minutes (by default until no trial has run for ten), each run in the
folder that a process works on gives a row: which trial, its frames, and the resident memory of its
process, from Linux's /proc. Rows of earlier samples stay.
"""

import sys
import time
from pathlib import Path
from typing import Any

from phieb.reports import ledger
from phieb.reports.curve_files import MEMORY
from phieb.reports.tables import read_csv, write_csv
from phieb.training import Run, RunError
from phieb.training.run_folder import runs_in

FILE = Path(__file__).parent / "memory.csv"
EVERY, PATIENCE = 60, 10  # seconds; samples without a trial before it ends


def resident(run: Run) -> float | None:
    """Megabytes that the process that works on a run has in memory; None if there is none."""
    try:
        pid = int((run.path / "lock").read_text())
        held = Path(f"/proc/{pid}/fd").iterdir()
        if all(one.resolve() != (run.path / "lock").resolve() for one in held):
            return None
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (OSError, ValueError):
        return None
    kilobytes = next(line.split()[1] for line in lines if line.startswith("VmRSS"))
    return int(kilobytes) / 1024


def sample(folder: Path) -> list[dict[str, Any]]:
    """A row for each trial that is being trained."""
    rows = []
    for run in runs_in(folder):
        megabytes = resident(run)
        try:
            row = ledger.row_of(run)
            if megabytes is None or int(row["frames"]) >= run.config().frames:
                continue
        except RunError:  # it has only just begun
            continue
        which = {column: row[column] for column in ledger.TRIAL}  # type: ignore[literal-required]
        rows.append({**which, "frames": row["frames"], "megabytes": f"{megabytes:.1f}"})
    return rows


def main(folder: str, minutes: str = "") -> None:
    """Sample until the time is over, or no trial runs any more."""
    end, idle = time.monotonic() + 60 * float(minutes or "inf"), 0
    while time.monotonic() < end and idle < PATIENCE:
        found = sample(Path(folder))
        idle = 0 if found else idle + 1
        rows = read_csv(FILE) if FILE.exists() else []
        write_csv([*rows, *found], MEMORY, FILE)
        time.sleep(EVERY)


if __name__ == "__main__":
    main(*sys.argv[1:])
