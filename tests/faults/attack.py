"""Things that a received run folder may hold, and the commands that read one."""

import os
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from phieb.cli import main
from tests.faults.support import PATIENCE, contents

SECONDS = int(PATIENCE / 2)  # after which a command hangs, on a busy machine
COMMANDS = {
    "show": lambda run: ["show", run],
    "runs": lambda run: ["runs", run.parent],
    "report": lambda run: ["report", run],
    "resume": lambda run: ["resume", run, "--quiet"],
    "extend": lambda run: ["resume", run, "--quiet", "--frames", "13k"],
    "tensorboard": lambda run: ["resume", run, "--quiet", "--tensorboard", "--frames", "13k"],
    "evaluate": lambda run: ["evaluate", run, "--episodes", "1", "--workers", "1"],
    "play": lambda run: ["play", run, "--out", run / "film.mp4"],
}  # fmt: skip
# For a run in an environment of Gymnasium's.
MAPS = {
    "novelty": lambda run: ["novelty", run, "--out", run / "novelty.png"],
    "film": lambda run: ["novelty", run, "--out", run / "novelty.png", "--film", run / "film.mp4"],
}
BENCH = {
    "bench": lambda run: ["bench", "--games", "", "--trained", run, "--slices", "4"],
}
ALL = COMMANDS | MAPS | BENCH


def fifo(file: Path) -> None:
    os.mkfifo(file)


def unix_socket(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        here = os.open(file.parent, os.O_RDONLY)  # a path as long as this one may be too long
        try:
            bound.bind(f"/proc/self/fd/{here}/{file.name}")
        finally:
            os.close(here)


def zeros(file: Path) -> None:
    """The device /dev/zero, where one may be made."""
    try:
        os.mknod(file, 0o600 | 0o020000, os.makedev(1, 5))
    except OSError as error:
        pytest.skip(f"this machine does not permit it: {error}")


def terabyte(file: Path) -> None:
    file.touch()
    try:
        os.truncate(file, 2**40)
    except OSError as error:
        pytest.skip(f"this machine does not permit it: {error}")


SPECIAL: dict[str, Callable[[Path], None]] = {
    "pipe": fifo,
    "socket": unix_socket,
    "device": zeros,
    "terabyte": terabyte,
}


def instead(file: Path, make: Callable[[Path], object]) -> None:
    """Put something else in the place of a file or a folder."""
    file.parent.mkdir(exist_ok=True)
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file)
    else:
        file.unlink(missing_ok=True)
    make(file)


@contextmanager
def in_time() -> Iterator[None]:
    """A command that hangs fails the test."""

    def late(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"it hangs: {number} {frame}")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run_command(name: str, run: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, output and errors of a command; anything but an exit is a traceback."""
    capsys.readouterr()
    code = 0
    with in_time():
        try:
            main(list(map(str, ALL[name](run))))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert said.err.count("\n") == (1 if code else 0), said.err
    return code, said.out, said.err


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All files, with the times of their last change, and all links as they are."""
    return {
        name: (data, (folder / name).stat().st_mtime_ns) for name, data in contents(folder).items()
    }
