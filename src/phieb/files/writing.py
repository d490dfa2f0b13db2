"""Writes all files of the package: atomically, and without following links.

A file is written under a random name in its folder, synced and renamed; then the folder is synced.
If anything fails, the previous file is unchanged and the temporary one is removed. All system calls
that change files are made here, so that tests can make each of them fail.
"""

import os
import re
import stat
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from phieb.files.handles import FOLDER, PLAIN, folder, naming, parent, plain

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | PLAIN
# The second form is that of unfinished checkpoints of version 0.5.0.
_PART = re.compile(r"\.phieb-[0-9a-f]{16}\.part|[0-9]{12,18}\.part")


def write(path: Path, data: bytes | str, within: Path | None = None) -> None:
    """Write or replace a file; a symbolic link of this name is replaced, not followed.

    Args:
        path: the path of the file.
        data: its contents; text is written as UTF-8.
        within: a parent folder, below which no link is followed; by default the direct parent.

    Raises:
        OSError: nothing was written.
    """
    data = data.encode() if isinstance(data, str) else data
    with parent(path, within) as here, naming(path):
        part = _random_name()
        try:
            _create(part, data, here)
            os.rename(part, path.name, src_dir_fd=here, dst_dir_fd=here)
        except BaseException:
            with suppress(OSError):
                os.unlink(part, dir_fd=here)
            raise
        os.fsync(here)


def write_folder(path: Path, files: Mapping[str, bytes], within: Path) -> None:
    """Write a new folder of files atomically; `path` must not exist.

    Raises:
        OSError: nothing was written.
    """
    with parent(path, within) as here, naming(path):
        part = _random_name()
        os.mkdir(part, dir_fd=here)
        try:
            inside = os.open(part, FOLDER | os.O_NOFOLLOW, dir_fd=here)
            try:
                for name, data in files.items():
                    with naming(path / name):
                        _create(name, data, inside)
                os.fsync(inside)
            finally:
                os.close(inside)
            os.rename(part, path.name, src_dir_fd=here, dst_dir_fd=here)
        except BaseException:
            _remove(part, files, here)
            raise
        os.fsync(here)


def make_folder(path: Path, within: Path | None = None) -> None:
    """Create a folder and its parents where they do not exist, and sync them to disk.

    Raises:
        OSError: it cannot be created, or the path is a link or a file.
    """
    if within is None and path.is_dir():
        return
    if within is None and not path.parent.is_dir():
        make_folder(path.parent)
    with parent(path, within) as here, naming(path):
        try:
            os.mkdir(path.name, dir_fd=here)
        except FileExistsError:
            os.close(os.open(path.name, FOLDER | os.O_NOFOLLOW, dir_fd=here))
        else:
            os.fsync(here)


def check_writable(path: Path, num_bytes: int, within: Path | None = None) -> None:
    """Check that a file of this size can be written, by writing and deleting one.

    Raises:
        OSError: it cannot.
    """
    with parent(path, within) as here, naming(path):
        part = _random_name()
        try:
            _create(part, bytes(num_bytes), here)
        finally:
            with suppress(OSError):
                os.unlink(part, dir_fd=here)


def open_own(path: Path, within: Path, at_end: bool = False) -> int:
    """Open a file to change it in place; it is created if it does not exist.

    Args:
        path: the path of the file.
        within: a parent folder, below which no link is followed.
        at_end: open for appending, even if other processes write to the file.

    Returns:
        The file descriptor.

    Raises:
        OSError: it is a link, not a regular file, or has more than one name (hard links).
    """
    with parent(path, within) as here, naming(path):
        flags = os.O_RDWR | os.O_CREAT | PLAIN | (os.O_APPEND if at_end else 0)
        handle = os.open(path.name, flags, 0o644, dir_fd=here)
        try:
            if plain(handle, path).st_nlink != 1:
                raise OSError(0, "is a file with several names (hard links)")
        except BaseException:
            os.close(handle)
            raise
        return handle


def append(handle: int, data: bytes) -> None:
    """Write all of `data` at the current position."""
    rest = memoryview(data)
    while rest:  # a write to a nearly full disk may be partial
        rest = rest[os.write(handle, rest) :]


def cut(handle: int, num_bytes: int) -> None:
    """Truncate a file to a number of bytes, and continue to write at its end."""
    os.ftruncate(handle, num_bytes)
    os.lseek(handle, num_bytes, os.SEEK_SET)


def sync(handle: int) -> None:
    """Sync a file to disk."""
    os.fsync(handle)


def remove_folder(path: Path, ours: Collection[str], within: Path) -> bool:
    """Remove a folder, unless it contains other files than `ours`; returns whether it was removed.

    Args:
        path: the path of the folder; a link is not followed.
        ours: the names of the files that may be removed.
        within: a parent folder, below which no link is followed.
    """
    try:
        with parent(path, within) as here:
            return _remove(path.name, ours, here)
    except OSError:
        return False


def sweep(path: Path, ours: Collection[str], within: Path) -> None:
    """Remove unfinished files and folders, left by processes that were killed."""
    with suppress(OSError), folder(within, *path.relative_to(within).parts) as here:
        for name in filter(is_part, os.listdir(here)):
            if stat.S_ISDIR(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                _remove(name, ours, here)
            else:
                os.unlink(name, dir_fd=here)


def is_part(name: str) -> bool:
    """Whether this is the name of an unfinished file or folder."""
    return _PART.fullmatch(name) is not None


def _remove(name: str, ours: Collection[str], here: int) -> bool:
    """Remove a folder in the folder `here`, unless it contains other files than `ours`."""
    try:
        inside = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=here)
        try:
            if not set(os.listdir(inside)) <= set(ours):
                return False
            for file in os.listdir(inside):
                os.unlink(file, dir_fd=inside)
        finally:
            os.close(inside)
        os.rmdir(name, dir_fd=here)
    except OSError:
        return False
    return True


def _create(name: str, data: bytes, here: int) -> None:
    """Create a file in the folder `here`, and sync it to disk."""
    handle = os.open(name, _NEW, 0o644, dir_fd=here)
    try:
        append(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)


def _random_name() -> str:
    return f".phieb-{token_hex(8)}.part"
