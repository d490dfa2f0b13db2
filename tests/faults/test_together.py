"""All trials of a command: one command at a time, and told to stop in every way."""

import os
import signal
import time
from pathlib import Path

from tests.faults.support import (
    Started,
    assert_clean_error,
    holds_lock,
    num_episodes,
    phieb,
    saved_frames,
)

ENDLESS = ["--games", "venture", "--trials", "1", "--frames", "1G", "--workers", "2"]
STOPPED = "phieb: stopped; run the same command again to resume\n"


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def trials(out: Path, pid: int) -> list[int]:
    """The processes of trials that have come as far as to lock their runs."""
    return [one for one in children(pid) if any(holds_lock(path, one) for path in out.glob("v*"))]


def test_a_second_command_is_refused_and_signals_from_everywhere_save_all(tmp_path: Path) -> None:
    """As when a cgroup is stopped: every process is told, twice, and trials by their parent too."""
    out = tmp_path / "out"
    runs = [out / "venture-phi-1", out / "venture-none-1"]
    with Started("reproduce", *ENDLESS, "--out", out) as both:
        both.wait_for(lambda: all(num_episodes(path) for path in runs))
        done = phieb("sweep", "--out", out)
        assert_clean_error(done, 1, out, f"process {both.pid} works on these trials")
        first = [saved_frames(path) for path in runs]
        for _ in range(2):
            for pid in [*trials(out, both.pid), both.pid]:
                os.kill(pid, signal.SIGTERM)
            time.sleep(0.1)
        code, _, err = both.end()
    assert (code, err) == (143, STOPPED)
    assert all(saved_frames(path) > f for path, f in zip(runs, first, strict=True))


def imports(pid: int) -> bool:
    """Whether it is Python that has come as far as to load NumPy."""
    try:
        return "_multiarray_umath" in Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return False


def test_ctrl_c_while_trials_still_start(tmp_path: Path) -> None:
    """A terminal tells all processes of the group; none has anything to say but the first."""
    out = tmp_path / "out"
    with Started("reproduce", *ENDLESS, "--out", out) as both:
        both.wait_for(lambda: any(imports(pid) for pid in children(both.pid)))
        os.killpg(both.pid, signal.SIGINT)
        code, _, err = both.end()
    assert (code, err) == (130, STOPPED)
    assert not list(out.glob("v*/lock"))  # they were not there yet
