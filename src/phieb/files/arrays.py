"""Arrays in safetensors files: what a file declares is compared with its size before it is read."""

import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from phieb.files.errors import DamagedError
from phieb.files.reading import ARRAYS, MEGABYTE, contents, opened, parsed
from phieb.files.records import Count, Text, checked

HEADER = 100 * MEGABYTE  # the largest that safetensors permits
Arrays = Mapping[str, NDArray[Any]]
Metadata = dict[Annotated[str, Text("(?s).*")], Annotated[str, Text("(?s).*")]]


class Tensor(TypedDict):
    """Where an array is in a file."""

    dtype: Literal[
        "BOOL", "I8", "I16", "I32", "I64", "U8", "U16", "U32", "U64", "F16", "F32", "F64"
    ]
    shape: list[Count]
    data_offsets: list[Count]


class Header(TypedDict):
    """What the start of a file declares."""

    metadata: NotRequired[Metadata]
    tensors: dict[Annotated[str, Text("(?s).*")], Tensor]


def packed(arrays: Arrays, metadata: dict[str, str] | None = None) -> bytes:
    """Arrays as a file has them, in the order of their numbers."""
    plain = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    return save(plain, metadata)


def read_arrays(path: Path, within: Path | None = None, num_bytes: int | None = None) -> bytes:
    """All of a file of arrays, if it is as large as it declares.

    Args:
        path: of the file.
        within: a folder above it, below which no link is followed; by default the file's own.
        num_bytes: what its size must be, where that is known.

    Raises:
        DamagedError: it is not one, or cannot be read; no more than its header was.
    """
    with opened(path, ARRAYS, within) as (handle, size):
        if num_bytes not in (None, size):
            raise DamagedError(f"{path}: not what was written")
        try:
            _header(lambda many, at: os.pread(handle, many, at), size)
        except ValueError as error:
            raise DamagedError(f"{path}: {error}") from None
        return contents(handle, size)


def unpacked(path: Path, data: bytes) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """The arrays and the metadata in the bytes of a file.

    Raises:
        DamagedError: there are none.
    """
    try:
        header = _header(lambda many, at: data[at : at + many], len(data))
        return load(data), header.get("metadata", {})
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise DamagedError(f"{path}: {error}") from None


def _header(read: Callable[[int, int], bytes], size: int) -> Header:
    """What a file declares, if it can be true of one of this size.

    Args:
        read: so many bytes from a place on.
        size: of the file.

    Raises:
        ValueError: it cannot.
    """
    length = int.from_bytes(read(8, 0), "little")
    if size < 8 or not 0 < length <= min(HEADER, size - 8):
        raise ValueError(f"is no file of arrays, or one with a header of {length:,} bytes")
    found = parsed(read(length, 8))
    if not isinstance(found, dict):
        raise ValueError("has a header that is not an object")
    metadata = found.pop("__metadata__", {})
    header = checked(Header, {"metadata": metadata, "tensors": found})
    end = 0
    for tensor in sorted(header["tensors"].values(), key=lambda one: one["data_offsets"]):
        wanted = math.prod(tensor["shape"]) * _num_bytes(tensor["dtype"])
        if tensor["data_offsets"] != [end, end + wanted]:
            raise ValueError("declares an array of another size than it has")
        end += wanted
    if 8 + length + end != size:
        raise ValueError(f"declares {8 + length + end:,} bytes and has {size:,}")
    return header


def _num_bytes(dtype: str) -> int:
    """Of one number of an array, by the name of its type in a file."""
    return 1 if dtype == "BOOL" else int(dtype[1:]) // 8
