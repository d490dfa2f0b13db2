"""Access to files relative to descriptors of their folders, so that links are never followed.

Only the topmost folder may be a link, since the user gave its path.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# Opening fails on a link, does not block on a pipe, and never acquires a terminal.
PLAIN = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@contextmanager
def folder(root: Path, *inside: str) -> Iterator[int]:
    """The descriptor of a folder, or of a folder inside it.

    Raises:
        OSError: it cannot be opened; the error names the path that failed.
    """
    with naming(root):
        handle = os.open(root, FOLDER)
    try:
        for name in inside:
            root = root / name
            with naming(root):
                deeper = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=handle)
            os.close(handle)
            handle = deeper
        yield handle
    finally:
        os.close(handle)


@contextmanager
def parent(path: Path, within: Path | None) -> Iterator[int]:
    """The descriptor of the folder that contains a file.

    Args:
        path: the path of the file.
        within: a parent folder, below which no link is followed; by default the direct parent.
    """
    root = path.parent if within is None else within
    with folder(root, *path.relative_to(root).parts[:-1]) as handle:
        yield handle


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Re-raise OSErrors with the full path, and with what is there if it is not a regular file."""
    try:
        yield
    except OSError as error:
        said = _in_its_place(path) or error.strerror or str(error)
        raise OSError(error.errno, said, str(path)) from None


def plain(handle: int, path: Path) -> os.stat_result:
    """The status of an open file.

    Raises:
        OSError: it is not a regular file, for example a device or a pipe.
    """
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "is not a regular file", str(path))
    return found


def _in_its_place(path: Path) -> str | None:
    """What a path is, if not a regular file or a folder; None if it is, or does not exist."""
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISLNK(mode):
        return "is a symbolic link, which is not followed"
    regular = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
    return None if regular else "is not a regular file"
