"""Checkpoints on disk: written atomically, verified before they are read, without pickle.

A checkpoint is a folder of safetensors files and a manifest.json with the size and SHA-256 of each
and the SHA-256 of the manifest itself. It is written under another name, synced, and then renamed.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict

from numpy.typing import NDArray

from phieb.files import reading, writing
from phieb.files.arrays import Arrays, packed, read_arrays, unpacked
from phieb.files.errors import DamagedError, MissingError
from phieb.files.records import Count, Settings, Sha256, Text, Versions

SCHEMA = 1
KEPT = 2  # the number of checkpoints of a run that are kept
MANIFEST = "manifest.json"
DIGITS = 18  # maximum length of a checkpoint's name


class File(TypedDict):
    """Size and hash of a file."""

    bytes: Count
    sha256: Sha256


class Manifest(TypedDict):
    """The contents of manifest.json."""

    schema: Count
    frames: Count
    config: Settings
    versions: Versions
    log: File  # when the checkpoint was saved
    files: dict[Annotated[str, Text(r"[a-z]{1,40}\.safetensors")], File]
    digest: Sha256  # of the other fields


class Facts(NamedTuple):
    """What a run records in the manifest of a checkpoint."""

    frames: int
    config: dict[str, Any]
    versions: dict[str, str]
    log: File


def write(folder: Path, parts: Mapping[str, Arrays], facts: Facts) -> None:
    """Save a checkpoint, and delete all but the `KEPT` newest.

    Args:
        folder: the folder of all checkpoints, in the folder of the run.
        parts: groups of arrays, each saved as a file of its name.
        facts: recorded in the manifest.

    Raises:
        OSError: nothing was saved, and no earlier checkpoint was deleted.
    """
    run, path = folder.parent, folder / name_of(facts.frames)
    ours = {MANIFEST, *(f"{stem}.safetensors" for stem in parts)}
    writing.make_folder(folder, within=run)
    writing.sweep(folder, ours, within=run)
    if is_whole(path):  # the same frame has the same state
        return
    files = {f"{stem}.safetensors": packed(arrays) for stem, arrays in parts.items()}
    described = {name: described_as(data) for name, data in files.items()}
    manifest: dict[str, Any] = {"schema": SCHEMA, **facts._asdict(), "files": described}
    manifest["digest"] = digest_of(manifest)
    writing.remove_folder(path, ours, within=run)  # if there is one, it is damaged
    written = {**files, MANIFEST: json.dumps(manifest, indent=1).encode()}
    writing.write_folder(path, written, within=run)
    _drop_old(folder, path.name, ours)


def name_of(frames: int) -> str:
    """The name of a checkpoint's folder."""
    return f"{frames:012d}"


def names(folder: Path) -> list[str]:
    """The names of all checkpoints, the newest first.

    Raises:
        DamagedError: `folder` is not a folder, or cannot be read.
    """
    try:
        found = reading.names(folder, within=folder.parent)
    except MissingError:
        return []
    ours = (n for n in found if n.isascii() and n.isdigit() and len(n) <= DIGITS)
    return sorted(ours, reverse=True)


def read(path: Path) -> tuple[dict[str, dict[str, NDArray[Any]]], Manifest]:
    """The arrays and the manifest of a checkpoint.

    Raises:
        DamagedError: a file is missing or damaged.
    """
    files, facts = read_files(path)
    return {Path(name).stem: parse(path / name, data) for name, data in files.items()}, facts


def read_files(path: Path) -> tuple[dict[str, bytes], Manifest]:
    """The bytes of a checkpoint's files, verified, and its manifest.

    Raises:
        DamagedError: a file is missing or damaged.
    """
    facts, files = read_facts(path), {}
    for name, described in facts["files"].items():
        file = path / name
        files[name] = read_arrays(file, path.parents[1], described["bytes"])
        if described_as(files[name]) != described:
            raise DamagedError(f"{file}: not what was written")
    return files, facts


def parse(file: Path, data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays in the bytes of a file; `file` is its path, for errors.

    Raises:
        DamagedError: the bytes are not a valid safetensors file.
    """
    return unpacked(file, data)[0]


def is_as_written(facts: Manifest, files: Mapping[str, bytes], digest: str) -> bool:
    """Whether a manifest has this digest, and these files match it; files may be missing."""
    described = facts["files"]
    return digest_of(facts) == digest and all(
        described_as(data) == described.get(name) for name, data in files.items()
    )


def read_facts(path: Path) -> Manifest:
    """The manifest of a checkpoint, verified.

    Raises:
        DamagedError: it is missing or damaged.
    """
    file = path / MANIFEST
    facts = reading.read_record(Manifest, file, reading.JSON, within=path.parents[1])
    if facts["digest"] != digest_of(facts):
        raise DamagedError(f"{file}: not what was written")
    if facts["schema"] != SCHEMA:
        raise DamagedError(f"{file}: has schema {facts['schema']}, this phieb reads {SCHEMA}")
    return facts


def digest_of(facts: Mapping[str, Any] | Manifest) -> str:
    """SHA-256 of all fields of a record except "digest"."""
    said = {key: value for key, value in facts.items() if key != "digest"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def described_as(data: bytes) -> File:
    """Size and hash of a file with these bytes."""
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def is_whole(path: Path) -> bool:
    """Whether a checkpoint is complete and undamaged."""
    try:
        read(path)
    except DamagedError:
        return False
    return True


def _drop_old(folder: Path, newest: str, ours: Collection[str]) -> None:
    """Delete all but the newest checkpoints, once the newest has been read back and verified."""
    try:
        read(folder / newest)
    except DamagedError as error:
        raise OSError(f"the checkpoint does not read back: {error}") from None
    older = [name for name in names(folder) if name < newest]
    damaged = [name for name in names(folder) if name > newest]  # else they would have been resumed
    for name in damaged + older[KEPT - 1 :]:
        writing.remove_folder(folder / name, ours, within=folder.parent)
