"""A pickle in place of any file of a run is never executed."""

import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phieb.training import RunError, resume
from tests.faults.support import (
    FRAMES,
    Ears,
    phieb,
    redescribe,
)


class Malicious:
    """Makes a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> Any:
        return Path.touch, (self.marker,)


def malicious(marker: Path) -> list[bytes]:
    """A pickle and an array of one, which do what they are meant to if they are let."""
    bare = pickle.dumps(Malicious(marker))
    pickle.loads(bare)  # noqa: S301
    assert marker.exists()
    marker.unlink()
    array = io.BytesIO()
    np.save(array, np.array([Malicious(marker)], dtype=object), allow_pickle=True)
    return [bare, array.getvalue()]


def resume_with(data: bytes, path: Path, place: Path, known: bool) -> None:
    """With one file replaced, and with a manifest that knows of it or does not."""
    assert (path / place).is_file()
    (path / place).write_bytes(data)
    if known and place.suffix == ".safetensors":
        redescribe((path / place).parent)
    try:
        resume(path, Ears(), frames=FRAMES + 10)
    except RunError as error:
        assert str(path) in str(error)


def places(path: Path, folders: str) -> list[Path]:
    """All files of a run."""
    found = [p.relative_to(path) for p in sorted(path.rglob(folders)) if p.is_file()]
    assert len(found) >= 3
    return found


@pytest.mark.parametrize("folders", ["*.json*", "*.safetensors"])
def test_a_pickle_is_never_executed(
    folders: str, fresh_copy: Callable[[], Path], reference: Path, tmp_path: Path
) -> None:
    marker = tmp_path / "executed"
    bare, _ = malicious(marker)
    for place in places(reference, folders):
        resume_with(bare, fresh_copy(), place, known=True)
        assert not marker.exists(), place


@pytest.mark.slow
@pytest.mark.faults
def test_no_pickle_of_any_kind_is_ever_executed(
    fresh_copy: Callable[[], Path], reference: Path, tmp_path: Path
) -> None:
    """On the command line too, by every command that reads a run."""
    marker = tmp_path / "executed"
    for data in malicious(marker):
        for place in places(reference, "*"):
            for known in (False, True):
                resume_with(data, fresh_copy(), place, known)
                assert not marker.exists(), place
    for place in places(reference, "*"):
        path = fresh_copy()
        for file in (place, Path("evaluation.json")):
            (path / file).write_bytes(data)
        for given in (["show", path], ["runs", path], ["evaluate", path, "--episodes", 1]):
            done = phieb(*given)
            assert "Traceback" not in done.stderr
            assert not marker.exists(), place
