"""A Ray cluster of two CPUs on this machine, with token authentication."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from uuid import uuid4

import pytest

from tests.faults.support import PATIENCE

STARTS = 3  # of a cluster, on a busy machine


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def cluster() -> Iterator[tuple[str, Path]]:
    """A cluster that nobody else uses: its address and its folder, whose name must be short."""
    folder, port = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp")), free_port()
    (folder / "token").touch(0o600)  # Ray opens the folder to everybody
    (folder / "token").write_text(uuid4().hex)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN_PATH", str(folder / "token"))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        head = started(folder, port)
        try:
            yield f"127.0.0.1:{port}", folder
        finally:
            head.terminate()  # it ends what it started
            head.wait(PATIENCE)
            shutil.rmtree(folder)


def started(folder: Path, port: int) -> "subprocess.Popen[bytes]":
    """The head of a cluster; Ray gives up after half a minute, which may be too early."""
    for attempt in range(STARTS):
        said = folder / f"said-{attempt}"
        with said.open("w") as file:
            head = subprocess.Popen(
                [
                    Path(sys.executable).with_name("ray"),
                    *("start", "--head", "--block", "--include-dashboard=false"),
                    *("--port", str(port), "--num-cpus", "2", "--temp-dir", folder),
                    *("--object-store-memory", str(80 * 10**6)),
                ],
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
        if is_up(head, said):
            return head
    raise AssertionError(said.read_text())


def is_up(head: "subprocess.Popen[bytes]", said: Path) -> bool:
    """Wait until a head has started; False if it has ended."""
    until = monotonic() + PATIENCE
    while "Ray runtime started" not in said.read_text():
        if head.poll() is not None:
            return False
        assert monotonic() < until, said.read_text()
        sleep(0.1)
    return True


def kill_raylet(folder: Path) -> None:
    """Kill the process of a cluster that starts the workers of its node."""
    found = ["pgrep", "-f", f"raylet/raylet .*{folder}"]
    said = subprocess.run(found, capture_output=True, text=True, check=True).stdout
    os.kill(int(said.split()[0]), signal.SIGKILL)
