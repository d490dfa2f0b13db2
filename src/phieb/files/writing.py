"""The door out: a file is written whole or not at all, in the folder that was meant.

It is written under a random name in the same folder, synced, renamed, and the folder is synced. If
anything fails, what was there before is untouched and nothing is left beside it. All calls of the
system that change files are made here, so that tests can let any of them fail.
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
# The second is how 0.5.0 called a checkpoint that it had not written to its end.
_PART = re.compile(r"\.phieb-[0-9a-f]{16}\.part|[0-9]{12,18}\.part")


def write(path: Path, data: bytes | str, within: Path | None = None) -> None:
    """Write a file, or put another in its place; a link in its place is replaced, not followed.

    Args:
        path: of the file.
        data: all of it; text is written as UTF-8.
        within: a folder above it, below which no link is followed; by default the file's own.

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
    """Write a folder of files, whole or not at all; there must be none of this name.

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
    """Make a folder that lasts, with those above it, if it is not there.

    Raises:
        OSError: it cannot be made, or a link or a file is in its place.
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
    """Find out whether a file of this size could be written there.

    Raises:
        OSError: it could not.
    """
    with parent(path, within) as here, naming(path):
        part = _random_name()
        try:
            _create(part, bytes(num_bytes), here)
        finally:
            with suppress(OSError):
                os.unlink(part, dir_fd=here)


def open_own(path: Path, within: Path, at_end: bool = False) -> int:
    """The descriptor of a file that is changed in place; it is made if it is not there.

    Args:
        path: of the file.
        within: a folder above it, below which no link is followed.
        at_end: everything is written to its end, whoever else writes to it.

    Raises:
        OSError: a link or anything else is in its place, or it is in other folders too.
    """
    with parent(path, within) as here, naming(path):
        flags = os.O_RDWR | os.O_CREAT | PLAIN | (os.O_APPEND if at_end else 0)
        handle = os.open(path.name, flags, 0o644, dir_fd=here)
        try:
            if plain(handle, path).st_nlink != 1:
                raise OSError(0, "has other names too, and would change under all of them")
        except BaseException:
            os.close(handle)
            raise
        return handle


def append(handle: int, data: bytes) -> None:
    """Write all of it where the file ends."""
    rest = memoryview(data)
    while rest:  # a disk that is nearly full takes less
        rest = rest[os.write(handle, rest) :]


def cut(handle: int, num_bytes: int) -> None:
    """Keep so much of a file, and go on writing there."""
    os.ftruncate(handle, num_bytes)
    os.lseek(handle, num_bytes, os.SEEK_SET)


def sync(handle: int) -> None:
    """Have on disk what was written."""
    os.fsync(handle)


def remove_folder(path: Path, ours: Collection[str], within: Path) -> bool:
    """Remove a folder of files; one that holds anything else is left as it is.

    Args:
        path: of the folder; a link to one is not followed.
        ours: the names of the files that may be removed.
        within: a folder above it.
    """
    try:
        with parent(path, within) as here:
            return _remove(path.name, ours, here)
    except OSError:
        return False


def sweep(path: Path, ours: Collection[str], within: Path) -> None:
    """Remove what writers of these files that were killed have left in a folder."""
    with suppress(OSError), folder(within, *path.relative_to(within).parts) as here:
        for name in filter(is_part, os.listdir(here)):
            if stat.S_ISDIR(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                _remove(name, ours, here)
            else:
                os.unlink(name, dir_fd=here)


def is_part(name: str) -> bool:
    """Whether a file or folder of this name is one that was not written to its end."""
    return _PART.fullmatch(name) is not None


def _remove(name: str, ours: Collection[str], here: int) -> bool:
    """Remove a folder of our files."""
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
    """A new file, on disk when this returns."""
    handle = os.open(name, _NEW, 0o644, dir_fd=here)
    try:
        append(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)


def _random_name() -> str:
    return f".phieb-{token_hex(8)}.part"
