"""Reads all files of the package: regular files only, up to a size limit, never through links."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from phieb.files.errors import DamagedError, MissingError
from phieb.files.handles import PLAIN, folder, naming, parent, plain
from phieb.files.records import checked

MEGABYTE, GIGABYTE = 1 << 20, 1 << 30

# Size limits of the kinds of files, in bytes.
JSON = MEGABYTE  # settings, manifests
EVALUATION = 128 * MEGABYTE  # a million episodes
TABLE = 256 * MEGABYTE
ARRAYS = 8 * GIGABYTE
LOG = 4 * GIGABYTE
LINE = MEGABYTE  # of a log

T = TypeVar("T")


@contextmanager
def opened(path: Path, limit: int, within: Path | None = None) -> Iterator[tuple[int, int]]:
    """The descriptor and the size of a regular file.

    Args:
        path: the path of the file.
        limit: the largest permitted size in bytes.
        within: a parent folder, below which no link is followed; by default the direct parent.

    Raises:
        DamagedError: it cannot be read, is too large, or is not a regular file.
    """
    try:
        with parent(path, within) as here, naming(path):
            handle = os.open(path.name, os.O_RDONLY | PLAIN, dir_fd=here)
            try:
                size = plain(handle, path).st_size
                if size > limit:
                    raise DamagedError(f"{path}: is larger than {limit:,} bytes")
                yield handle, size
            finally:
                os.close(handle)
    except FileNotFoundError as error:
        raise MissingError(f"{error.filename}: {error.strerror}") from None
    except OSError as error:
        raise DamagedError(f"{error.filename}: {error.strerror}") from None


def contents(handle: int, size: int) -> bytes:
    """The first `size` bytes of an open file, or fewer if it is shorter."""
    parts, at = list[bytes](), 0
    while at < size and (data := os.pread(handle, size - at, at)):
        parts.append(data)
        at += len(data)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def read(path: Path, limit: int, within: Path | None = None) -> bytes:
    """The contents of a file.

    Raises:
        DamagedError: as in `opened`.
    """
    with opened(path, limit, within) as (handle, size):
        return contents(handle, size)


def lines(path: Path, within: Path | None = None) -> Iterator[bytes]:
    """The lines of a log without line ends, except for an incomplete last line.

    Raises:
        DamagedError: as in `opened`, or a line is too long.
    """
    with opened(path, LOG, within) as (handle, _):
        rest = b""
        while data := os.read(handle, LINE):
            *whole, rest = (rest + data).split(b"\n")
            yield from whole
            if len(rest) > LINE:
                raise DamagedError(f"{path}: has a line of more than {LINE:,} bytes")


def tail(path: Path, num_bytes: int, within: Path | None = None) -> tuple[bytes, bool]:
    """The last bytes of a log, and whether the log is longer."""
    with opened(path, LOG, within) as (handle, size):
        return os.pread(handle, num_bytes, max(size - num_bytes, 0)), size > num_bytes


def names(path: Path, within: Path | None = None) -> list[str]:
    """The names in a folder.

    Raises:
        DamagedError: it cannot be read, or is not a folder.
    """
    root = path if within is None else within
    try:
        with folder(root, *path.relative_to(root).parts) as handle:
            return os.listdir(handle)
    except FileNotFoundError as error:
        raise MissingError(f"{error.filename}: {error.strerror}") from None
    except OSError as error:
        raise DamagedError(f"{error.filename}: {error.strerror}") from None


def parsed(data: bytes) -> Any:
    """Parse JSON strictly: UTF-8, without NaN, lone surrogates or excessive nesting.

    Raises:
        ValueError: it is invalid; the message says why.
    """
    try:
        found = json.loads(data.decode(), parse_constant=_no_number)
        if b"\\u" in data and b"\\u0000" in json.dumps(found, ensure_ascii=False).encode():
            raise ValueError
    except (ValueError, RecursionError):
        raise ValueError("is not JSON") from None
    return found


def read_record(record: type[T], path: Path, limit: int, within: Path | None = None) -> T:
    """Read a JSON file that must match the schema `record`.

    Raises:
        DamagedError: it does not, or cannot be read.
    """
    data = read(path, limit, within)
    try:
        return checked(record, parsed(data))
    except ValueError as error:
        raise DamagedError(f"{path}: {error}") from None


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)
