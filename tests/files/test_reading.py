"""Reading: regular files up to a size, complete lines, strict JSON."""

import os
from pathlib import Path

import pytest

from phieb.files import reading
from phieb.files.errors import DamagedError, MissingError


def test_a_file_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert reading.read(file, 5) == b"12345"
    with pytest.raises(DamagedError, match="file: is larger than 4 bytes"):
        reading.read(file, 4)
    with pytest.raises(MissingError, match="nothing: No such file"):
        reading.read(tmp_path / "nothing", 5)


def test_only_regular_files_are_read_and_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "way").symlink_to("inside")
    (tmp_path / "inside" / "file").write_bytes(b"1")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DamagedError, match="link: is a symbolic link, which is not followed"):
        reading.read(tmp_path / "link", 5)
    with pytest.raises(DamagedError, match="way: is a symbolic link, which is not followed"):
        reading.read(tmp_path / "way" / "file", 5, within=tmp_path)
    assert reading.read(tmp_path / "way" / "file", 5) == b"1"
    for name in ("pipe", "inside"):
        with pytest.raises(DamagedError, match=f"{name}: is not a regular file"):
            reading.read(tmp_path / name, 5)


def test_lines_of_a_log_without_the_one_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one\ntwo\nthr")
    assert list(reading.lines(log)) == [b"one", b"two"]
    assert reading.tail(log, 7) == (b"two\nthr", True)
    assert reading.tail(log, 100) == (b"one\ntwo\nthr", False)
    monkeypatch.setattr(reading, "LINE", 2)
    with pytest.raises(DamagedError, match="log: has a line of more than 2 bytes"):
        list(reading.lines(log))


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff", b"NaN", b"[Infinity]", b'"\\ud800"', b'"\\u0000"', b"[" * 100_000],
    ids=lambda data: repr(data[:12]),
)
def test_what_is_not_strict_json(data: bytes) -> None:
    with pytest.raises(ValueError, match="^is not JSON$"):
        reading.parsed(data)


def test_strict_json() -> None:
    assert reading.parsed('{"φ": [1, 2.5, null, "\\u00e9"]}'.encode()) == {"φ": [1, 2.5, None, "é"]}
