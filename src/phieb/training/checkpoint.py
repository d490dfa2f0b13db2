"""Checkpoints on disk: whole or not there, verified before they are read, never unpickled.

A checkpoint is a folder of safetensors files and a manifest.json with the size and SHA-256 of each,
and of the manifest itself. It is written elsewhere, synced, and moved to its name when complete.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

SCHEMA = 1
KEPT = 2  # the newest so many
MANIFEST = "manifest.json"

Arrays = Mapping[str, NDArray[Any]]


class DamagedError(ValueError):
    """A file is not what was written."""


def write(folder: Path, name: str, parts: Mapping[str, Arrays], facts: Mapping[str, Any]) -> None:
    """Save `parts`, a file each, and `facts`, in the manifest; only the one before it is kept.

    Raises:
        OSError: nothing was saved, and nothing that was there is lost.
    """
    folder.mkdir(exist_ok=True)
    clean(folder)
    part = folder / f"{name}.part"
    if _is_there(folder / name):  # of the same frame, and so the same
        return
    try:
        part.mkdir()
        files = {}
        for stem, arrays in parts.items():
            data = save({key: np.asarray(array, order="C") for key, array in arrays.items()})
            files[f"{stem}.safetensors"] = _described(data)
            _write(part / f"{stem}.safetensors", data)
        manifest = {"schema": SCHEMA, **facts, "files": files}
        manifest["digest"] = _digest(manifest)
        _write(part / MANIFEST, json.dumps(manifest, indent=1).encode())
        _sync(part)
        if (folder / name).exists():  # damaged
            shutil.rmtree(folder / name)
        part.rename(folder / name)
        _sync(folder)
    except OSError:
        shutil.rmtree(part, ignore_errors=True)
        raise
    _drop_old(folder, name)


def names(folder: Path) -> list[str]:
    """The checkpoints there are, the newest first."""
    if not folder.is_dir():
        return []
    found = (p.name for p in folder.iterdir())
    return sorted((n for n in found if n.isascii() and n.isdigit()), reverse=True)


def read(path: Path) -> tuple[dict[str, dict[str, NDArray[Any]]], dict[str, Any]]:
    """The parts and the facts of a checkpoint.

    Raises:
        DamagedError: some file of it is missing or is not what was written.
    """
    files, facts = read_files(path)
    return {Path(name).stem: parse(path / name, data) for name, data in files.items()}, facts


def read_files(path: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The files of a checkpoint, as they were written, and its facts.

    Raises:
        DamagedError: some file of it is missing or is not what was written.
    """
    facts, files = read_facts(path), {}
    for name, described in facts["files"].items():
        try:
            # The size first: what is too large is not even read.
            same_size = (path / name).stat().st_size == described.get("bytes")
            files[name] = (path / name).read_bytes() if same_size else b""
        except OSError as error:
            raise DamagedError(f"{path / name}: {error.strerror}") from None
        if _described(files[name]) != described:
            raise DamagedError(f"{path / name}: not what was written")
    return files, facts


def parse(file: Path, data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays in the bytes of a file.

    Raises:
        DamagedError: they are not arrays.
    """
    try:
        return load(data)
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise DamagedError(f"{file}: {error}") from None


def is_as_written(facts: Mapping[str, Any], files: Mapping[str, bytes], digest: str) -> bool:
    """Whether facts and files, or some of the files, are those of the checkpoint of this digest."""
    same = _digest({key: facts[key] for key in facts if key != "digest"}) == digest
    return same and all(_described(data) == facts["files"].get(f) for f, data in files.items())


def read_facts(path: Path) -> dict[str, Any]:
    """The manifest of a checkpoint, verified, its digest included.

    Raises:
        DamagedError: it is missing or is not what was written.
    """
    manifest = path / MANIFEST
    try:
        facts = json.loads(manifest.read_bytes())
        digest = facts.pop("digest")
        if digest != _digest(facts):
            raise DamagedError(f"{manifest}: not what was written")
    except OSError as error:
        raise DamagedError(f"{manifest}: {error.strerror}") from None
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        if isinstance(error, DamagedError):
            raise
        raise DamagedError(f"{manifest}: not what was written") from None
    if facts.get("schema") != SCHEMA:
        said = f"has schema {facts.get('schema')!r}, this phieb reads {SCHEMA}"
        raise DamagedError(f"{manifest}: {said}")
    if not _is_whole(facts):
        raise DamagedError(f"{manifest}: something in it is missing or of the wrong kind")
    return {**facts, "digest": digest}


def _is_whole(facts: dict[str, Any]) -> bool:
    """Whether all that is read later is there, and of the right kind."""
    log, files = facts.get("log"), facts.get("files")
    return (
        isinstance(facts.get("frames"), int)
        and all(isinstance(facts.get(name), dict) for name in ("config", "versions"))
        and isinstance(log, dict)
        and isinstance(log.get("bytes"), int)
        and log["bytes"] >= 0
        and isinstance(log.get("sha256"), str)
        and isinstance(files, dict)
        and all(Path(name).name == name and isinstance(f, dict) for name, f in files.items())
    )


def clean(folder: Path) -> None:
    """Remove what a run that was killed while saving has left behind."""
    for path in folder.glob("*.part"):
        shutil.rmtree(path, ignore_errors=True)


def _is_there(path: Path) -> bool:
    try:
        read(path)
    except DamagedError:
        return False
    return True


def _drop_old(folder: Path, newest: str) -> None:
    """Keep the newest ones; nothing is dropped before the newest has been read back."""
    try:
        read(folder / newest)
    except DamagedError as error:
        raise OSError(f"the checkpoint does not read back: {error}") from None
    older = [name for name in names(folder) if name < newest]
    damaged = [name for name in names(folder) if name > newest]  # or the run had not gone back
    for name in damaged + older[KEPT - 1 :]:
        shutil.rmtree(folder / name, ignore_errors=True)


def _described(data: bytes) -> dict[str, Any]:
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _digest(facts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
