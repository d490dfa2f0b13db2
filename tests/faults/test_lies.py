"""Checkpoints with impossible contents and the right digests: refused in one line."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load, save

from phieb.training import Run, RunError, resume
from tests.faults.support import (
    FRAMES,
    PARTS,
    Ears,
    newest,
    phieb,
    redescribe,
    rewrite_manifest,
)


def longer(data: bytes, rng: random.Random) -> bytes:
    return data + rng.randbytes(10)


def changes(value: Any) -> list[Any]:
    """Other things than what belongs there."""
    return [None, -1, 1e400, "x", [], {}, [value]]


@pytest.mark.parametrize("key", ["schema", "frames", "config", "versions", "log", "files"])
def test_a_manifest_that_lies_but_has_the_right_digest(
    key: str, fresh_copy: Callable[[], Path]
) -> None:
    """Something is missing or of another kind: one line says so, whatever it is."""
    path = fresh_copy()
    original = (newest(path) / "manifest.json").read_bytes()
    facts = json.loads(original)
    tried = []
    for change in [*changes(facts[key]), "missing"]:
        (newest(path) / "manifest.json").write_bytes(original)
        rewrite_manifest(
            newest(path),
            lambda f: f.pop(key) if change == "missing" else f.update({key: change}),  # noqa: B023
        )
        run = Run(path)
        for use in (lambda: run.newest(print), run.frames, lambda: resume(path, Ears(), frames=1)):  # noqa: B023
            try:
                use()
            except RunError as error:
                assert str(path) in str(error)
            except Exception as error:
                tried.append(f"{key} = {change!r}: {type(error).__name__}: {error}")
    assert not tried, "\n".join(tried)


LIES: dict[str, Callable[[NDArray[Any]], NDArray[Any] | None]] = {
    "missing": lambda array: None,
    "empty": lambda array: array.ravel()[:0],
    "longer": lambda array: np.concatenate([array, array]),
    "of bytes": lambda array: np.zeros(array.shape, np.int8),
    "of NaN": lambda array: np.full(array.shape, np.nan),
    "random": lambda array: scrambled(array),
}


def scrambled(array: NDArray[Any]) -> NDArray[Any]:
    """Random bytes of the same kind."""
    data = random.Random(0).randbytes(array.nbytes)
    if array.dtype == bool:
        data = bytes(byte & 1 for byte in data)
    return np.frombuffer(data, array.dtype).reshape(array.shape)


def array_names(folder: Path) -> list[tuple[str, str]]:
    """The arrays of a checkpoint, each with its file."""
    return [(part, name) for part in PARTS for name in load((folder / part).read_bytes())]


def lie(folder: Path, part: str, name: str, how: str) -> None:
    """Change an array, and let the manifest agree."""
    arrays = load((folder / part).read_bytes())
    changed = LIES[how](arrays.pop(name))
    (folder / part).write_bytes(save(arrays if changed is None else {**arrays, name: changed}))
    redescribe(folder)


def test_arrays_that_lie_but_have_the_right_digests(
    fresh_copy: Callable[[], Path], reference: Path
) -> None:
    rng, refused = random.Random(0), 0
    for part, name in rng.sample(array_names(newest(reference)), 12):
        path = fresh_copy()
        lie(newest(path), part, name, rng.choice(["missing", "empty", "longer", "of bytes"]))
        try:
            resume(path, Ears())
        except RunError as error:
            refused += 1
            assert str(path) in str(error)
    assert refused >= 10  # a few arrays are all zeros


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("how", list(LIES))
def test_all_arrays_that_lie(how: str, fresh_copy: Callable[[], Path], reference: Path) -> None:
    """In a process of its own: random numbers where rows are expected must not crash it."""
    problems = []
    for part, name in array_names(newest(reference)):
        path = fresh_copy()
        lie(newest(path), part, name, how)
        done = phieb("resume", path, "--quiet", "--frames", FRAMES + 2_000)
        if done.returncode not in (0, 1) or done.stderr.count("\n") > 1:
            problems.append(f"{part}: {name} {how}: {done.returncode} {done.stderr[-300:]}")
    assert not problems, "\n".join(problems)
