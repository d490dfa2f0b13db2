"""The log of a run: one line of JSON per episode. After a crash, an incomplete line is cut off."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from phieb.files import reading, writing
from phieb.files.errors import DamagedError, RunError
from phieb.files.handles import naming
from phieb.files.records import Count, Number, RoomVisits, checked
from phieb.training.checkpoint import File


class EpisodeLine(TypedDict):
    """One line of the log."""

    episode: Count
    frames: Count  # of the run, at the end of the episode
    decisions: Count
    score: Number
    length: Count  # of the episode, in frames
    bonus: Number
    pseudocount: Number
    active: Number
    observed: Number
    frames_per_second: Number
    rooms: NotRequired[RoomVisits]


def episode_line(data: bytes) -> dict[str, Any]:
    """Parse and check a line of the log.

    Raises:
        ValueError: it is invalid; the message says why.
    """
    return dict(checked(EpisodeLine, reading.parsed(data)))


class EpisodeLog:
    """Appends to episodes.jsonl, after removing the lines written since the last checkpoint.

    When the run is resumed, those episodes are repeated and give the same lines.

    Args:
        path: the file, in the folder of the run; created if it does not exist.
        num_bytes: the number of bytes to keep.

    Raises:
        RunError: it cannot be written, or is not a regular file.
    """

    def __init__(self, path: Path, num_bytes: int) -> None:
        self._path, self._bytes, self._digest = path, num_bytes, hashlib.sha256()
        try:
            self._file = writing.open_own(path, within=path.parent)
            with naming(path):
                self._digest.update(reading.contents(self._file, num_bytes))
                writing.cut(self._file, num_bytes)
        except OSError as error:
            raise RunError(f"{error.filename}: {error.strerror}") from None

    def append(self, line: Mapping[str, Any]) -> None:
        """Append the line of an episode."""
        data = json.dumps(line).encode() + b"\n"
        with naming(self._path):
            writing.append(self._file, data)
        self._digest.update(data)
        self._bytes += len(data)

    def facts(self) -> File:
        """Size and hash of the log for a checkpoint, after it has been synced to disk."""
        with naming(self._path):
            writing.sync(self._file)
        return {"bytes": self._bytes, "sha256": self._digest.hexdigest()}

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def log_digest(path: Path, num_bytes: int) -> str:
    """SHA-256 of the first `num_bytes` bytes of a log.

    Raises:
        DamagedError: it cannot be read, or is shorter.
    """
    digest, at = hashlib.sha256(), 0
    with reading.opened(path, reading.LOG) as (handle, size):
        if size < num_bytes:
            raise DamagedError(f"{path}: is shorter than when the checkpoint was saved")
        while at < num_bytes and (data := os.pread(handle, min(num_bytes - at, 1 << 20), at)):
            digest.update(data)
            at += len(data)
    return digest.hexdigest()
