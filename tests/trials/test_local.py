"""Processes of trials on this machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

AUTOGROUP = Path("/proc/self/autogroup")

# A process as nice as `nice -n 19 phieb sweep`: it starts a trial and reads the trial's autogroup.
STARTS_A_TRIAL = """
import sys, time
from pathlib import Path
from phieb.training import preset
from phieb.trials.local import Local
from phieb.trials.trial import Trial

if __name__ == "__main__":
    path = Path(sys.argv[1])
    trial = Trial(preset("default", "venture", frames=10**9), path / "v", episodes=0)
    trial.log.begin()
    job = Local(1).start(trial)
    while not trial.path.exists():  # the trial trains: its session is set up
        assert job.outcome() is None, job.outcome()
        time.sleep(0.05)
    print(Path(f"/proc/{job._process.pid}/autogroup").read_text())
    job.kill()
"""


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="no autogroup scheduling here")
def test_a_trial_is_as_nice_as_the_process_that_started_it(tmp_path: Path) -> None:
    """Its session is scheduled as a group of its own, whose nice value counts."""
    script = tmp_path / "starts_a_trial.py"
    script.write_text(STARTS_A_TRIAL)
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        preexec_fn=lambda: os.nice(19 - os.nice(0)) and None,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1:] == ["nice", "19"]
