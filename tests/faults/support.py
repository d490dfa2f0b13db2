"""Real runs, real faults: start `phieb`, wait for it, damage its files, compare what came of it."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from phieb.training import Config, preset
from phieb.training.checkpoint import names
from phieb.training.loop import Unwatched

FRAMES = 12_000  # of the run that all others are compared with: about a second
EVERY, LENGTH = 1_000, 1_500  # frames of a checkpoint and of an episode
PATIENCE = float(os.environ.get("PATIENCE", "120"))  # seconds, as other things go on as well
Record = Callable[[str, object], None]  # pytest's record_property: what a test counted
PARTS = ("learner.safetensors", "world.safetensors", "progress.safetensors")
FILES = (*PARTS, "manifest.json")  # of a checkpoint


def options(game: str = "venture", *, frames: int = FRAMES, **others: object) -> list[str]:
    """A small run for the command line."""
    given = {"frames": frames, "checkpoint-every": EVERY, "max-frames": LENGTH, **others}
    return [game, "--quiet", *(text for k, v in given.items() for text in (f"--{k}", str(v)))]


def config(game: str = "venture", **others: Any) -> Config:
    """The same run for `train`."""
    usual = {"frames": FRAMES, "checkpoint_every": EVERY, "max_frames": LENGTH}
    return preset("default", game, **{**usual, **others})


def command(*given: object) -> list[str]:
    start = "from phieb.cli import main; main()"
    return [sys.executable, "-W", "error", "-c", start, *map(str, given)]


def phieb(
    *given: object, cwd: Path | None = None, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; one that hangs fails the test."""
    return subprocess.run(
        command(*given),
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        timeout=PATIENCE,
        preexec_fn=before,
    )


class Started:
    """A command of phieb, or of a module, in a process group of its own; killed after the test."""

    def __init__(
        self,
        *given: object,
        module: str = "",
        before: Callable[[], None] | None = None,
        stdout: int | None = None,
    ) -> None:
        other = [sys.executable, "-m", module, *map(str, given)]
        self.process = subprocess.Popen(
            other if module else command(*given),
            stdout=subprocess.PIPE if stdout is None else stdout,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: _prepare(before),
        )
        self.pid = self.process.pid

    def __enter__(self) -> "Started":
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):  # of the group: its workers have our pipes open
            os.killpg(self.pid, signal.SIGKILL)
        self.process.communicate()

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Until it is so; a process that ends before fails the test, with what it said."""
        until = monotonic() + PATIENCE
        while not condition():
            if self.process.poll() is not None:
                raise AssertionError(f"ended early: {self.process.communicate()}")
            assert monotonic() < until, "the run does not get on"
            sleep(0.002)

    def send(self, *signals: int) -> None:
        for number in signals:
            os.kill(self.pid, number)

    def end(self) -> tuple[int, str, str]:
        """Exit code, output and errors."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def _prepare(before: Callable[[], None] | None) -> None:
    """In the new process: SIGHUP as in a terminal, also where the tests run under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if before is not None:
        before()


def holds_lock(path: Path, pid: int) -> bool:
    """Whether a process has come as far as to lock the run."""
    lock = path / "lock"
    return lock.exists() and lock.read_text().strip() == str(pid)


def saved_frames(path: Path) -> int:
    """The newest checkpoint; -1 if there is none."""
    return max((int(name) for name in names(path / "checkpoints")), default=-1)


def num_episodes(path: Path) -> int:
    log = path / "episodes.jsonl"
    return log.read_bytes().count(b"\n") if log.exists() else 0


def newest(path: Path) -> Path:
    return path / "checkpoints" / names(path / "checkpoints")[0]


def log_lines(path: Path) -> list[dict[str, Any]]:
    """The episodes, without the one field that a clock decides."""
    text = (path / "episodes.jsonl").read_text()
    assert text.endswith("\n")
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        del line["frames_per_second"]
    return lines


def digests(path: Path) -> dict[str, str]:
    """What the newest checkpoint holds: weights, traces, counts, random states, frames."""
    found = {p.name: p.read_bytes() for p in newest(path).glob("*.safetensors")}
    assert set(found) == set(PARTS)
    return {name: hashlib.sha256(data).hexdigest() for name, data in found.items()}


def assert_identical(one: Path, other: Path) -> None:
    assert newest(one).name == newest(other).name
    assert log_lines(one) == log_lines(other)
    assert digests(one) == digests(other)
    assert [line["episode"] for line in log_lines(one)] == list(range(1, num_episodes(one) + 1))


def contents(path: Path) -> dict[str, bytes]:
    """All files but the lock, to see whether anything has changed."""
    files = [p for p in path.rglob("*") if p.is_file() and p.name != "lock"]
    return {str(p.relative_to(path)): p.read_bytes() for p in files}


def assert_clean_error(done: subprocess.CompletedProcess[str], code: int, *says: object) -> None:
    """One line that says what is wrong, and its exit code; no traceback."""
    assert_one_line(done.stderr, *says)
    assert done.returncode == code, done.stderr


def assert_one_line(err: str, *says: object) -> None:
    assert err.startswith("phieb: "), err
    assert err.count("\n") == 1, err
    for text in says:
        assert str(text) in err


def rewrite_manifest(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change a manifest as somebody would who knows how its digest is made."""
    file = folder / "manifest.json"
    facts = json.loads(file.read_text())
    del facts["digest"]
    change(facts)
    facts["digest"] = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
    file.write_text(json.dumps(facts))


def redescribe(folder: Path) -> None:
    """Make a manifest agree with the files as they are."""

    def change(facts: dict[str, Any]) -> None:
        for name in facts["files"]:
            data = (folder / name).read_bytes()
            sha256 = hashlib.sha256(data).hexdigest()
            facts["files"][name] = {"bytes": len(data), "sha256": sha256}

    rewrite_manifest(folder, change)


class Ears(Unwatched):
    """A watch that keeps the warnings."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        super().__init__(self.heard.append)
