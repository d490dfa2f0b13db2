"""Files of arrays: what is written is read, and a header that cannot be true is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phieb.files.arrays import packed, read_arrays, unpacked
from phieb.files.errors import DamagedError

ARRAYS = {"a": np.arange(6, dtype=np.int64).reshape(2, 3), "b": np.array([True, False])}


def test_arrays_and_metadata_come_back(tmp_path: Path) -> None:
    file = tmp_path / "file.safetensors"
    file.write_bytes(packed({**ARRAYS, "c": ARRAYS["a"].T}, {"made": "here"}))
    arrays, metadata = unpacked(file, read_arrays(file))
    assert metadata == {"made": "here"}
    assert set(arrays) == {"a", "b", "c"}
    assert np.array_equal(arrays["c"], ARRAYS["a"].T)
    assert arrays["b"].dtype == bool


def with_header(change: dict[str, Any]) -> bytes:
    """A file in which the header of array a says something else."""
    data = packed({"a": ARRAYS["a"]})
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header["a"] |= change
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is no file of arrays"),
        (b"\xff" * 20, "is no file of arrays, or one with a header of"),
        ((2).to_bytes(8, "little") + b"[]", "has a header that is not an object"),
        (packed(ARRAYS)[:-1], "declares [0-9]+ bytes and has"),
        (packed(ARRAYS) + b"0", "declares [0-9]+ bytes and has"),
        (with_header({"shape": [2, 4]}), "an array whose size does not match its shape"),
        (with_header({"data_offsets": [8, 56]}), "an array whose size does not match its shape"),
        (with_header({"dtype": "F128"}), "tensors.a.dtype must be BOOL or I8"),
        (with_header({"shape": [-2, -3]}), "each of tensors.a.shape must be a whole number"),
    ],
)
def test_a_header_that_does_not_fit_the_file_is_refused(
    data: bytes, says: str, tmp_path: Path
) -> None:
    file = tmp_path / "file.safetensors"
    file.write_bytes(data)
    with pytest.raises(DamagedError, match=says):
        read_arrays(file)
    with pytest.raises(DamagedError, match=says):
        unpacked(file, data)


def test_a_file_of_another_size_than_recorded_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "file.safetensors"
    file.write_bytes(packed(ARRAYS))
    size = file.stat().st_size
    assert len(read_arrays(file, num_bytes=size)) == size
    with pytest.raises(DamagedError, match="not what was written"):
        read_arrays(file, num_bytes=size + 1)
