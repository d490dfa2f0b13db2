"""One process at a time works on a run."""

import signal
from pathlib import Path

import pytest

from phieb.training import Run, RunError, resume
from tests.faults.support import (
    FRAMES,
    Started,
    assert_clean_error,
    assert_identical,
    num_episodes,
    options,
    phieb,
)


def test_a_second_process_is_refused_and_a_dead_one_is_not_in_the_way(
    tmp_path: Path, reference: Path
) -> None:
    path = tmp_path / "run"
    given = [*options(frames=100_000_000), "--checkpoint-every", "1G", "--out", path]
    with Started("train", *given) as run:
        run.wait_for(lambda: num_episodes(path))
        done = phieb("resume", path, "--quiet")
        assert_clean_error(done, 1, path, f"process {run.pid} works on this run")
        assert run.process.poll() is None  # the first one does not mind
        assert phieb("show", path).returncode == 0  # looking on is allowed
        run.send(signal.SIGKILL)
        run.end()
    assert (path / "lock").read_text() == f"{run.pid}\n"
    resume(path, frames=FRAMES)
    assert_identical(path, reference)


def test_whatever_is_in_the_lock(begun: Path) -> None:
    (begun / "lock").write_bytes(b"\xff\xfe\x00" * 9)
    resume(begun, frames=4_500)  # nobody holds it
    with Run(begun).locked():
        (begun / "lock").write_bytes(b"\xff\xfe\x00" * 9)
        with pytest.raises(RunError, match="works on this run"):
            resume(begun)
