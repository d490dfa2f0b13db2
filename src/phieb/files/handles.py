"""Folders by handle: a name is looked up in the folder itself, and a link is never followed.

Only the folder that is asked for may be a link: its path was given by whoever started the program.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# Neither a link nor a pipe nor a terminal can be put in place of a file.
PLAIN = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@contextmanager
def folder(root: Path, *inside: str) -> Iterator[int]:
    """A handle of a folder, or of one inside it.

    Raises:
        OSError: there is none; it names the path at which the way ends.
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
    """A handle of the folder of a file.

    Args:
        path: of the file.
        within: a folder above it, below which no link is followed; by default the file's own.
    """
    root = path.parent if within is None else within
    with folder(root, *path.relative_to(root).parts[:-1]) as handle:
        yield handle


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors of what is done to a file name its whole path, and say what is in its place."""
    try:
        yield
    except OSError as error:
        said = _in_its_place(path) or error.strerror or str(error)
        raise OSError(error.errno, said, str(path)) from None


def plain(handle: int, path: Path) -> os.stat_result:
    """What is known of an open file.

    Raises:
        OSError: it is a device, a pipe or anything else but a regular file.
    """
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "is not a regular file", str(path))
    return found


def _in_its_place(path: Path) -> str | None:
    """What a path leads to, if that alone is wrong."""
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISLNK(mode):
        return "is a symbolic link, which is not followed"
    regular = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
    return None if regular else "is not a regular file"
