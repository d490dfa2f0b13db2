"""Arrays in safetensors files; the header is checked against the file's size before reading."""

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

HEADER = 100 * MEGABYTE  # the limit of safetensors
Arrays = Mapping[str, NDArray[Any]]
Metadata = dict[Annotated[str, Text("(?s).*")], Annotated[str, Text("(?s).*")]]


class Tensor(TypedDict):
    """The entry of an array in the header."""

    dtype: Literal[
        "BOOL", "I8", "I16", "I32", "I64", "U8", "U16", "U32", "U64", "F16", "F32", "F64"
    ]
    shape: list[Count]
    data_offsets: list[Count]


class Header(TypedDict):
    """The header of a file."""

    metadata: NotRequired[Metadata]
    tensors: dict[Annotated[str, Text("(?s).*")], Tensor]


def packed(arrays: Arrays, metadata: dict[str, str] | None = None) -> bytes:
    """The bytes of a safetensors file with these arrays, in C order."""
    plain = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    return save(plain, metadata)


def read_arrays(path: Path, within: Path | None = None, num_bytes: int | None = None) -> bytes:
    """The bytes of a safetensors file, if its header is valid and matches its size.

    Args:
        path: the path of the file.
        within: a parent folder, below which no link is followed; by default the direct parent.
        num_bytes: the expected size, if known.

    Raises:
        DamagedError: it is not such a file, or cannot be read.
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
    """The arrays and the metadata in the bytes of a safetensors file.

    Raises:
        DamagedError: the bytes are not a valid safetensors file.
    """
    try:
        header = _header(lambda many, at: data[at : at + many], len(data))
        return load(data), header.get("metadata", {})
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise DamagedError(f"{path}: {error}") from None


def _header(read: Callable[[int, int], bytes], size: int) -> Header:
    """The header of a file, checked against the file's size.

    Args:
        read: returns a number of bytes from an offset.
        size: the size of the file.

    Raises:
        ValueError: the header is invalid.
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
            raise ValueError("declares an array whose size does not match its shape")
        end += wanted
    if 8 + length + end != size:
        raise ValueError(f"declares {8 + length + end:,} bytes and has {size:,}")
    return header


def _num_bytes(dtype: str) -> int:
    """The size of one element, from the name of its type in a header."""
    return 1 if dtype == "BOOL" else int(dtype[1:]) // 8
