"""The lock that keeps a second process out of a folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phieb.files import writing
from phieb.files.errors import RunError


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Lock a folder for this process; the lock ends with the process, even if it is killed.

    Args:
        path: the folder.
        what: what the folder contains, for the error message.

    Raises:
        RunError: another process holds the lock, or the lock file cannot be opened.
    """
    try:
        handle = writing.open_own(path / "lock", within=path)
    except OSError as error:
        raise RunError(f"{error.filename}: {error.strerror}") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            pid = os.pread(handle, 20, 0).strip()
            holder = f"process {int(pid)}" if pid.isdigit() else "another process"
            raise RunError(f"{path}: {holder} works on {what}") from None
        try:
            writing.cut(handle, 0)
            writing.append(handle, f"{os.getpid()}\n".encode())
        except OSError as error:
            raise RunError(f"{path / 'lock'}: {error.strerror}") from None
        yield
    finally:
        os.close(handle)
