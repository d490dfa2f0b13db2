"""`phieb small` in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path


def phieb(*given: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", "from phieb.cli import main; main()", *given]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def test_small_prints_and_writes_everything(tmp_path: Path) -> None:
    done = phieb("small", "--seeds", "2", "--out", "f.png", "--json", "n.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "RiverSwim" in done.stdout
    assert "Deep Sea" in done.stdout
    assert (tmp_path / "f.png").stat().st_size > 10_000
    numbers = json.loads((tmp_path / "n.json").read_text())
    assert all(len(r["totals"]) == 2 for r in numbers["total_reward"])
