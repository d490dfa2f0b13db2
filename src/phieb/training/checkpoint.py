"""Checkpoints on disk: whole or not there, verified before they are read, never unpickled.

A checkpoint is a folder of safetensors files and a manifest.json with the size and SHA-256 of each,
and of the manifest itself. It is written elsewhere, synced, and moved to its name when complete.
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
KEPT = 2  # the newest so many
MANIFEST = "manifest.json"
DIGITS = 18  # the most in the name of a checkpoint


class File(TypedDict):
    """What a manifest says of a file."""

    bytes: Count
    sha256: Sha256


class Manifest(TypedDict):
    """What is known of a checkpoint."""

    schema: Count
    frames: Count
    config: Settings
    versions: Versions
    log: File  # as much as there was
    files: dict[Annotated[str, Text(r"[a-z]{1,40}\.safetensors")], File]
    digest: Sha256  # of all this


class Facts(NamedTuple):
    """What a run says of a checkpoint that it saves."""

    frames: int
    config: dict[str, Any]
    versions: dict[str, str]
    log: File


def write(folder: Path, parts: Mapping[str, Arrays], facts: Facts) -> None:
    """Save `parts`, a file each, and `facts`, in the manifest; only the one before it is kept.

    Args:
        folder: of all checkpoints, in the folder of the run.
        parts: arrays by the names of their files.
        facts: what the manifest says beside.

    Raises:
        OSError: nothing was saved, and nothing that was there is lost.
    """
    run, path = folder.parent, folder / name_of(facts.frames)
    ours = {MANIFEST, *(f"{stem}.safetensors" for stem in parts)}
    writing.make_folder(folder, within=run)
    writing.sweep(folder, ours, within=run)
    if is_whole(path):  # of the same frame, and so the same
        return
    files = {f"{stem}.safetensors": packed(arrays) for stem, arrays in parts.items()}
    described = {name: described_as(data) for name, data in files.items()}
    manifest: dict[str, Any] = {"schema": SCHEMA, **facts._asdict(), "files": described}
    manifest["digest"] = digest_of(manifest)
    writing.remove_folder(path, ours, within=run)  # it is damaged
    written = {**files, MANIFEST: json.dumps(manifest, indent=1).encode()}
    writing.write_folder(path, written, within=run)
    _drop_old(folder, path.name, ours)


def name_of(frames: int) -> str:
    """What a checkpoint is called."""
    return f"{frames:012d}"


def names(folder: Path) -> list[str]:
    """The checkpoints there are, the newest first.

    Raises:
        DamagedError: something else is in the place of their folder.
    """
    try:
        found = reading.names(folder, within=folder.parent)
    except MissingError:
        return []
    ours = (n for n in found if n.isascii() and n.isdigit() and len(n) <= DIGITS)
    return sorted(ours, reverse=True)


def read(path: Path) -> tuple[dict[str, dict[str, NDArray[Any]]], Manifest]:
    """The parts and the facts of a checkpoint.

    Raises:
        DamagedError: some file of it is missing or is not what was written.
    """
    files, facts = read_files(path)
    return {Path(name).stem: parse(path / name, data) for name, data in files.items()}, facts


def read_files(path: Path) -> tuple[dict[str, bytes], Manifest]:
    """The files of a checkpoint, as they were written, and its facts.

    Raises:
        DamagedError: some file of it is missing or is not what was written.
    """
    facts, files = read_facts(path), {}
    for name, described in facts["files"].items():
        file = path / name
        files[name] = read_arrays(file, path.parents[1], described["bytes"])
        if described_as(files[name]) != described:
            raise DamagedError(f"{file}: not what was written")
    return files, facts


def parse(file: Path, data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays in the bytes of a file.

    Raises:
        DamagedError: they are not arrays.
    """
    return unpacked(file, data)[0]


def is_as_written(facts: Manifest, files: Mapping[str, bytes], digest: str) -> bool:
    """Whether facts and files, or some of the files, are those of the checkpoint of this digest."""
    described = facts["files"]
    return digest_of(facts) == digest and all(
        described_as(data) == described.get(name) for name, data in files.items()
    )


def read_facts(path: Path) -> Manifest:
    """The manifest of a checkpoint, verified.

    Raises:
        DamagedError: it is missing or is not what was written.
    """
    file = path / MANIFEST
    facts = reading.read_record(Manifest, file, reading.JSON, within=path.parents[1])
    if facts["digest"] != digest_of(facts):
        raise DamagedError(f"{file}: not what was written")
    if facts["schema"] != SCHEMA:
        raise DamagedError(f"{file}: has schema {facts['schema']}, this phieb reads {SCHEMA}")
    return facts


def digest_of(facts: Mapping[str, Any] | Manifest) -> str:
    """SHA-256 of all that a record says but its digest."""
    said = {key: value for key, value in facts.items() if key != "digest"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def described_as(data: bytes) -> File:
    """What a manifest says of a file with these bytes."""
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def is_whole(path: Path) -> bool:
    """Whether a checkpoint is what was written."""
    try:
        read(path)
    except DamagedError:
        return False
    return True


def _drop_old(folder: Path, newest: str, ours: Collection[str]) -> None:
    """Keep the newest ones; nothing is dropped before the newest has been read back."""
    try:
        read(folder / newest)
    except DamagedError as error:
        raise OSError(f"the checkpoint does not read back: {error}") from None
    older = [name for name in names(folder) if name < newest]
    damaged = [name for name in names(folder) if name > newest]  # or the run had not gone back
    for name in damaged + older[KEPT - 1 :]:
        writing.remove_folder(folder / name, ours, within=folder.parent)
