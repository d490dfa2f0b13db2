"""`phieb blobs` in a process of its own."""

import subprocess
import sys
from pathlib import Path


def phieb(*given: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", "from phieb.cli import main; main()", *given]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def test_blobs_saves_a_picture_of_the_blobs(tmp_path: Path) -> None:
    done = phieb("blobs", "ALE/Freeway-v5", "--decisions", "20", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "blobs" in done.stdout
    from matplotlib.image import imread

    assert imread(tmp_path / "blobs.png").shape[:2] == (840, 640)
