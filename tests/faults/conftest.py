"""Runs that the faulty ones are compared with, made once."""

import resource
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from phieb.training import train
from tests.faults.support import Record, config, options, phieb

collect_ignore = ["fuzz.py"]  # it needs atheris


@pytest.fixture(autouse=True)
def processor_time(record_property: Record) -> Iterator[None]:
    """What a test took, for docs/reliability.md: on a busy machine the clock says nothing."""
    before = _cpu_seconds()
    yield
    record_property("cpu_seconds", _cpu_seconds() - before)


def _cpu_seconds() -> float:
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing happened to. Not to be changed."""
    path = tmp_path_factory.mktemp("reference") / "run"
    done = phieb("train", *options(), "--out", path)
    assert done.returncode == 0, done.stderr
    return path


@pytest.fixture(scope="session")
def begun_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("begun") / "run"
    train(config(frames=4_000), path)
    return path


@pytest.fixture
def copied(reference: Path, tmp_path: Path) -> Path:
    """A copy of the reference, at its end, to be damaged."""
    return shutil.copytree(reference, tmp_path / "run")


@pytest.fixture
def begun(begun_once: Path, tmp_path: Path) -> Path:
    """The first third of the reference."""
    return shutil.copytree(begun_once, tmp_path / "run")


@pytest.fixture
def fresh_copy(reference: Path, tmp_path: Path) -> Iterator[Callable[[], Path]]:
    """Copies of the reference, one at a time."""
    path = tmp_path / "copy"

    def copy() -> Path:
        shutil.rmtree(path, ignore_errors=True)
        return shutil.copytree(reference, path)

    yield copy
    shutil.rmtree(path, ignore_errors=True)
