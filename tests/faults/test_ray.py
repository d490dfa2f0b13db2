"""`phieb reproduce` on a real Ray cluster of two CPUs, with token authentication."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from uuid import uuid4

import pytest

from phieb.training.config import versions
from phieb.training.run_folder import RunError
from phieb.trials.pulse import SilentError, greet
from phieb.trials.ray import Cluster, _live
from tests.faults.ray_cluster import cluster, free_port, kill_raylet
from tests.faults.support import (
    Started,
    assert_clean_error,
    assert_one_line,
    config,
    num_episodes,
    phieb,
    saved_frames,
)
from tests.faults.test_reproduce import came_out

pytest.importorskip("ray")

GIVEN = ["--games", "venture", "--frames", "12k", "--trials", "1", "--episodes", "1"]
TRIALS = ["venture-none-1", "venture-phi-1"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster() as (address, _):
        yield address


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
    assert (code, err) == (143, "phieb: stopped; run the same command again to resume\n")
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


def test_a_port_that_is_silent(tmp_path: Path) -> None:
    """Somebody listens, and never answers: Ray would wait for more than two minutes."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        began = monotonic()
        with pytest.raises(RunError, match=f"{address}: no Ray cluster, .*: no answer within 5 s"):
            Cluster(address)
        assert monotonic() - began < 15.0
    done = phieb("sweep", "--backend", "ray", "--address", address, cwd=tmp_path)
    assert_clean_error(done, 1, f"{address}: no Ray cluster")


def test_a_port_where_something_else_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:

        def answer() -> None:
            with other.accept()[0] as connection:
                connection.sendall(b"SSH-2.0-x\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(SilentError, match="not a Ray cluster"):
            greet(f"127.0.0.1:{other.getsockname()[1]}")
        thread.join()


def test_a_cluster_answers(address: str) -> None:
    greet(address)


@pytest.mark.slow
@pytest.mark.faults
def test_a_raylet_that_is_lost(tmp_path: Path) -> None:
    """Ray itself would end the command after a minute, with lines of its own."""
    out = tmp_path / "out"
    with cluster() as (address, folder):
        given = ["--games", "venture", "--frames", "2M", "--trials", "1", "--out", out]
        with Started("reproduce", *given, "--backend", "ray", "--address", address) as command:
            command.wait_for(lambda: list(out.glob("*/episodes.jsonl")))
            kill_raylet(folder)
            lost = monotonic()
            code, _, err = command.end()
        assert monotonic() - lost < 50.0
        assert code == 1
        assert_one_line(err, f"{address}: the Ray cluster is lost", "run the same command again")


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
