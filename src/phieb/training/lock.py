"""A folder for one process at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phieb.training.errors import RunError


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """A folder for one process at a time. A lock is gone when its process is, however that ended.

    Args:
        path: the folder.
        what: is in it; for the message.

    Raises:
        RunError: another process has it.
    """
    file = (path / "lock").open("a+", errors="replace")
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            pid = file.read(20).strip()
            holder = f"process {pid}" if pid.isdigit() else "another process"
            raise RunError(f"{path}: {holder} works on {what}") from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
    finally:
        file.close()
