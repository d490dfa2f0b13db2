"""The log of a run: one line of JSON an episode, appended, never torn for longer than a crash."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any


class EpisodeLog:
    """Appends to episodes.jsonl, after cutting off what a checkpoint does not know of.

    Those episodes are played again, to the same lines.

    Args:
        path: the file; made if it does not exist.
        num_bytes: how much of it to keep.
    """

    def __init__(self, path: Path, num_bytes: int) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        self._digest = hashlib.sha256()
        self._digest.update(os.pread(self._file, num_bytes, 0))
        os.ftruncate(self._file, num_bytes)
        os.lseek(self._file, 0, os.SEEK_END)
        self._bytes = num_bytes

    def append(self, line: dict[str, Any]) -> None:
        """One more episode."""
        data = json.dumps(line).encode() + b"\n"
        written = os.write(self._file, data)
        while written < len(data):  # a disk that is nearly full
            written += os.write(self._file, data[written:])
        self._digest.update(data)
        self._bytes += len(data)

    def facts(self) -> dict[str, Any]:
        """What a checkpoint remembers of the log, which is on disk when this returns."""
        os.fsync(self._file)
        return {"bytes": self._bytes, "sha256": self._digest.hexdigest()}

    def close(self) -> None:
        """Write no more."""
        os.close(self._file)
