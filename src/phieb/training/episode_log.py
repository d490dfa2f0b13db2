"""The log of a run: one line of JSON an episode, appended, never torn for longer than a crash."""

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
    """What a line of the log says of an episode."""

    episode: Count
    frames: Count  # of the run, at its end
    decisions: Count
    score: Number
    length: Count  # frames of this one
    bonus: Number
    pseudocount: Number
    active: Number
    observed: Number
    frames_per_second: Number
    rooms: NotRequired[RoomVisits]


def episode_line(data: bytes, number: int | None = None, frames_before: int = 0) -> dict[str, Any]:
    """A line of the log, if it is one.

    Args:
        data: the line.
        number: of the episode that it must be of; None for any.
        frames_before: of the run, when this episode began; it has some of its own.

    Raises:
        ValueError: it is not; the message says what is wrong.
    """
    line = checked(EpisodeLine, reading.parsed(data))
    if number not in (None, line["episode"]):
        raise ValueError(f"it is of episode {line['episode']}")
    if line["frames"] <= frames_before:
        raise ValueError(f"it ends at frame {line['frames']}, the one before at {frames_before}")
    return dict(line)


class EpisodeLog:
    """Appends to episodes.jsonl, after cutting off what a checkpoint does not know of.

    Those episodes are played again, to the same lines.

    Args:
        path: the file, in the folder of the run; made if it does not exist.
        num_bytes: how much of it to keep.

    Raises:
        RunError: it cannot be written, or something else is in its place.
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
        """One more episode."""
        data = json.dumps(line).encode() + b"\n"
        with naming(self._path):
            writing.append(self._file, data)
        self._digest.update(data)
        self._bytes += len(data)

    def facts(self) -> File:
        """What a checkpoint remembers of the log, which is on disk when this returns."""
        with naming(self._path):
            writing.sync(self._file)
        return {"bytes": self._bytes, "sha256": self._digest.hexdigest()}

    def close(self) -> None:
        """Write no more."""
        os.close(self._file)


def log_digest(path: Path, num_bytes: int) -> str:
    """SHA-256 of the first so many bytes of a log.

    Raises:
        DamagedError: it cannot be read, or is shorter.
    """
    digest, at = hashlib.sha256(), 0
    with reading.opened(path, reading.LOG) as (handle, size):
        if size < num_bytes:
            raise DamagedError(f"{path}: is shorter than a checkpoint knows it")
        while at < num_bytes and (data := os.pread(handle, min(num_bytes - at, 1 << 20), at)):
            digest.update(data)
            at += len(data)
    return digest.hexdigest()
