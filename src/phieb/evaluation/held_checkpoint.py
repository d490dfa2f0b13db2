"""One checkpoint, held while it is evaluated, whatever becomes of its folder meanwhile.

A run that trains deletes its old checkpoints. What is evaluated is therefore read once, and handed
to other processes as an open file without a name: it ends with the last process that has it open,
however that one ends, and nothing has to be cleaned up.
"""

import mmap
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from phieb.evaluation.record import LEARNER, Identity
from phieb.files.errors import DamagedError
from phieb.training import checkpoint
from phieb.training.checkpoint import Manifest
from phieb.training.run_folder import Run, RunError


class Held(NamedTuple):
    """A verified checkpoint in memory.

    Attributes:
        path: where it was read; it may be gone.
        facts: its manifest.
        data: the bytes of its learner.
        learner: the arrays in them.
    """

    path: Path
    facts: Manifest
    data: bytes
    learner: dict[str, NDArray[Any]]

    @property
    def frames(self) -> int:
        """Frames of training that it was saved after."""
        return self.facts["frames"]

    @property
    def digest(self) -> str:
        """SHA-256 of its manifest, which has those of all its files."""
        return self.facts["digest"]

    def identity(self) -> Identity:
        """What evaluation.json says of it."""
        learner = self.facts["files"][LEARNER]["sha256"]
        return {"name": self.path.name, "digest": self.digest, "learner": learner}


def hold(run: Run, frames: int | None, warn: Callable[[str], None]) -> Held:
    """Read a checkpoint of a run, which may be training.

    Args:
        run: the run.
        frames: of the checkpoint; None for the newest one that is whole.
        warn: told of damaged checkpoints.

    Raises:
        RunError: there is no such checkpoint, or it is damaged.
    """
    found = run.newest_by(_read, warn) if frames is None else _named(run, frames)
    if found is None:
        raise RunError(f"{run.path}: no checkpoint yet")
    return found[0]


def _named(run: Run, frames: int) -> tuple[Held, Manifest] | None:
    name, names = checkpoint.name_of(frames), checkpoint.names(run.checkpoints)
    if name in names:
        try:
            return run.read_by(_read, name)
        except DamagedError as error:
            names = checkpoint.names(run.checkpoints)
            if name in names:  # or it was deleted just now
                raise RunError(f"damaged checkpoint: {error}") from None
    there = ", ".join(str(int(one)) for one in reversed(names))
    if there:
        raise RunError(f"{run.checkpoints}: no checkpoint at frame {frames}; there are {there}")
    return None


def _read(path: Path) -> tuple[Held, Manifest]:
    files, facts = checkpoint.read_files(path)
    parts = {name: checkpoint.parse(path / name, data) for name, data in files.items()}
    if LEARNER not in parts:
        raise DamagedError(f"{path / LEARNER}: is not in the manifest")
    return Held(path, facts, files[LEARNER], parts[LEARNER]), facts


class Handed:
    """A checkpoint as an argument of processes that are started.

    Args:
        path: where it was read.
        facts: its manifest.
        file: the descriptor of an open file with its learner; where it arrives, what
            multiprocessing makes of one.
    """

    def __init__(self, path: Path, facts: Manifest, file: Any) -> None:
        self._path, self._facts, self._file = path, facts, file

    def __reduce__(self) -> tuple[type["Handed"], tuple[Any, ...]]:
        return Handed, (self._path, self._facts, DupFd(self._file))

    def held(self, digest: str) -> Held:
        """What has arrived, in the process that it was handed to; once.

        Raises:
            RunError: it is not the checkpoint of this digest.
        """
        data = _bytes_of(self._file.detach())
        if not checkpoint.is_as_written(self._facts, {LEARNER: data}, digest):
            raise RunError(f"{self._path}: a process that evaluates was given another checkpoint")
        return Held(self._path, self._facts, data, checkpoint.parse(self._path / LEARNER, data))


def _bytes_of(descriptor: int) -> bytes:
    """All of an open file. Not by reading: its position is shared between processes."""
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(descriptor).st_size == 0:
            return b""
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return mapped[:]


@contextmanager
def handed(held: Held) -> Iterator[Handed]:
    """A copy for other processes, on disk for as long as one of them has it open."""
    with tempfile.TemporaryFile(prefix="phieb-", buffering=0) as file:
        try:
            rest = memoryview(held.data)
            while rest:
                rest = rest[file.write(rest) :]
        except OSError as error:
            raise RunError(f"{tempfile.gettempdir()}: {error.strerror}") from None
        yield Handed(held.path, held.facts, file.fileno())
