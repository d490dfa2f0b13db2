"""Whichever call of the system fails, once: the run is resumed identically or refused in a line.

SQLite's way: the first call fails, then the second, and so on, until a run passes without one.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from phieb.evaluation.evaluate import evaluate
from phieb.evaluation.record import read_evaluation
from phieb.novelty import PhiBonus
from phieb.training import Run, RunError, train
from phieb.training.checkpoint import names
from tests.faults.faulty_system import ERRORS, FaultySystem, replace
from tests.faults.support import Ears, Record, assert_identical, config

GAME, FRAMES = "FrozenLake-v1", 60
SMALL = {"frames": FRAMES, "checkpoint_every": 20, "max_frames": 20}
PARTS = [".phieb-*", "*.part"]  # what must not be left over


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that nothing happened to."""
    path = tmp_path_factory.mktemp("whole") / "run"
    train(config(GAME, **SMALL), path)
    return path


def left_over(path: Path) -> list[Path]:
    return [found for pattern in PARTS for found in path.rglob(pattern)]


def fail_at(n: int, error: int, path: Path, whole: Path) -> FaultySystem:
    """Train with one failure, look at what is there, and train again without."""
    system, said = FaultySystem(n, error), Ears()
    with pytest.MonkeyPatch.context() as patch:
        replace(system, patch)
        try:
            train(config(GAME, **SMALL), path, said)
        except (RunError, OSError) as error_said:  # both are a line for the user
            assert "\n" not in str(error_said)
            assert str(path.parent) in str(error_said)
    if system.failed.startswith(("unlink", "rmdir")) or not system.failed:
        pass  # something could not be removed: the next one who saves does it
    else:
        assert left_over(path) == [], system.failed
    if system.saved:
        newest = Run(path).newest(said.warn)
        assert newest is not None
        assert newest[1]["frames"] >= int(system.saved[-1])
    train(config(GAME, **SMALL), path, said)
    assert_identical(path, whole)
    assert left_over(path) == [], system.failed
    assert len(names(path / "checkpoints")) >= 2
    return system


def fail_at_all(
    places: Iterable[int], errors: Iterator[int], folder: Path, whole: Path
) -> list[str]:
    """Until none fails; returns which calls did."""
    failed = list[str]()
    for n in places:
        system = fail_at(n, next(errors), folder / f"{n}", whole)
        if not system.failed:
            return failed
        failed.append(system.failed.split()[0])
    raise AssertionError("there was no end of failures")


def in_turn() -> Iterator[int]:
    while True:
        yield from ERRORS


def test_some_calls_fail(tmp_path: Path, whole: Path) -> None:
    """Every seventeenth; the long form lets each fail in three ways."""
    failed = fail_at_all(range(1, 10_000, 17), in_turn(), tmp_path, whole)
    assert len(failed) > 8
    assert {"open", "fsync", "write"} <= set(failed)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("error", ERRORS)
def test_every_call_fails(error: int, tmp_path: Path, whole: Path, record_property: Record) -> None:
    failed = fail_at_all(range(1, 10_000), iter(lambda: error, None), tmp_path, whole)
    record_property("failures", len(failed))
    assert set(failed) == {
        "open",
        "mkdir",
        "fsync",
        "write",
        "rename",
        "ftruncate",
        "unlink",
        "rmdir",
    }


def test_every_call_of_saving_a_bonus_fails(tmp_path: Path) -> None:
    """What was saved before is there until the new one is."""
    file, old, new = tmp_path / "bonus", PhiBonus(beta=0.1), PhiBonus(beta=0.1)
    new.observe([1, 2])
    for n in range(1, 100):
        old.save(file)
        before, system = file.read_bytes(), FaultySystem(n, ERRORS[n % 3])
        with pytest.MonkeyPatch.context() as patch:
            replace(system, patch)
            if n <= system_calls(new, tmp_path / "counted"):
                with pytest.raises(OSError, match=str(tmp_path)):
                    new.save(file)
            else:
                new.save(file)
        after = file.read_bytes()
        assert list(tmp_path.glob(".phieb-*")) == []
        if not system.failed:
            break
        # Only the last call, that of the folder, comes when the new one is in its place.
        assert after == before or system.failed.startswith("fsync")
    assert n > 5
    assert after != before


def system_calls(bonus: PhiBonus, file: Path) -> int:
    """How many calls saving a bonus takes."""
    system = FaultySystem(0, 0)
    with pytest.MonkeyPatch.context() as patch:
        replace(system, patch)
        bonus.save(file)
    return system.count


def test_every_call_of_writing_an_evaluation_fails(tmp_path: Path, whole: Path) -> None:
    """It says so, and an older evaluation stays."""
    path = Run(train(config(GAME, **SMALL), tmp_path / "run").path)
    expected = evaluate(path, 1, workers=1)
    refused = 0
    for n in range(1, 400, 5):
        system = FaultySystem(n, ERRORS[n % 3])
        with pytest.MonkeyPatch.context() as patch:
            replace(system, patch)
            try:
                evaluate(path, 1, checkpoint=FRAMES, workers=1)
            except RunError as error:
                refused += 1
                assert "\n" not in str(error)
        assert read_evaluation(path) == expected
        assert left_over(path.path) == []
        if not system.failed:
            break
    assert not system.failed
    assert refused > 3
