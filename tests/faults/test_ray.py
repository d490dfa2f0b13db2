"""`phieb reproduce` on a real Ray cluster of two CPUs, with token authentication."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from time import monotonic, sleep
from uuid import uuid4

import pytest

from phieb.training.config import versions
from phieb.trials.ray import _live
from tests.faults.support import (
    PATIENCE,
    Started,
    assert_clean_error,
    config,
    num_episodes,
    phieb,
    saved_frames,
)
from tests.faults.test_reproduce import came_out

pytest.importorskip("ray")

GIVEN = ["--games", "venture", "--frames", "12k", "--trials", "1", "--episodes", "1"]
TRIALS = ["venture-none-1", "venture-phi-1"]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a cluster that nobody else uses; its sockets must have short names."""
    folder, port = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp")), free_port()
    (folder / "token").touch(0o600)  # Ray opens the folder to everybody
    (folder / "token").write_text(uuid4().hex)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN_PATH", str(folder / "token"))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        with (folder / "said").open("w") as said:
            head = subprocess.Popen(
                [
                    Path(sys.executable).with_name("ray"),
                    *("start", "--head", "--block", "--include-dashboard=false"),
                    *("--port", str(port), "--num-cpus", "2", "--temp-dir", folder),
                    *("--object-store-memory", str(80 * 10**6)),
                ],
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        try:
            wait_until_up(head, folder / "said")
            yield f"127.0.0.1:{port}"
        finally:
            head.terminate()  # it ends what it started
            head.wait(PATIENCE)
            shutil.rmtree(folder)


def wait_until_up(head: "subprocess.Popen[bytes]", said: Path) -> None:
    until = monotonic() + PATIENCE
    while "Ray runtime started" not in said.read_text():
        assert head.poll() is None, said.read_text()
        assert monotonic() < until, said.read_text()
        sleep(0.1)


def test_stopped_and_a_worker_killed_it_ends_as_on_this_machine(
    address: str, tmp_path: Path
) -> None:
    out, local = tmp_path / "ray", tmp_path / "local"
    runs = [out / name for name in TRIALS]
    given = ["reproduce", *GIVEN, "--out", out, "--backend", "ray", "--address", address]
    with Started(*given) as command:
        command.wait_for(lambda: num_episodes(runs[0]))
        first = saved_frames(runs[0])
        command.send(signal.SIGTERM)
        code, _, err = command.end()
    assert (code, err) == (143, "phieb: stopped; the same command goes on from here\n")
    assert first < 1_000 < saved_frames(runs[0]) < 12_000
    before = (runs[0] / "lock").read_text()
    with Started(*given) as command:
        command.wait_for(lambda: (runs[0] / "lock").read_text() not in ("", before))
        os.kill(int((runs[0] / "lock").read_text()), signal.SIGKILL)
        code, said, err = command.end()
    assert (code, err) == (0, "")
    assert "raylet" not in said
    assert f"{TRIALS[0]}: tried again: " in said
    log = (out / "logs" / f"{TRIALS[0]}.txt").read_text()
    assert log.count("on node") == 3
    assert phieb("reproduce", *GIVEN, "--out", local).returncode == 0
    assert sorted(path.name for path in out.iterdir()) == sorted(p.name for p in local.iterdir())
    assert came_out(out) == came_out(local)


def test_no_cluster(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    done = phieb("sweep", "--backend", "ray", "--address", address, cwd=tmp_path)
    assert_clean_error(done, 1, f"{address}: no Ray cluster", "Connection refused")
    assert list(tmp_path.iterdir()) == []


def test_another_token(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", uuid4().hex)
    done = phieb("sweep", "--backend", "ray", "--address", address, cwd=tmp_path)
    assert_clean_error(done, 1, f"{address}: no Ray cluster, or one with another token")
    assert list(tmp_path.iterdir()) == []


def test_a_node_with_another_version(tmp_path: Path) -> None:
    here = {**versions(), "phieb": "0.0.1"}
    said = _live("task", here, {}, str(tmp_path / "run"), 0)
    assert said == f"node {os.uname().nodename}: phieb is {versions()['phieb']}, not 0.0.1"
    assert list(tmp_path.iterdir()) == []


def test_a_node_that_does_not_share_the_folder(tmp_path: Path) -> None:
    """There is no such folder, or another of that name, with logs of its own."""
    for _ in range(2):
        said = _live("task 1", versions(), asdict(config()), str(tmp_path / "run"), 0)
        assert said.startswith(f"node {os.uname().nodename} does not see {tmp_path}; it must be")
        assert not (tmp_path / "run").exists()
        (tmp_path / "logs").mkdir(exist_ok=True)
        (tmp_path / "logs" / "run.txt").write_text("task 2\n")
