"""The machine stops anywhere: what was synced is there, of the rest any part."""

import random
from pathlib import Path

import pytest

from phieb.training import Run, RunError, train
from tests.faults.crash_model import Folder, RecordingSystem, after_crash
from tests.faults.faulty_system import replace
from tests.faults.support import Ears, Record, assert_identical, config

GAME = "FrozenLake-v1"
SMALL = {"frames": 60, "checkpoint_every": 20, "max_frames": 20}


class Images:
    """Folders as a crash after any of the calls may leave them.

    Args:
        folder: where to put them.
        share: of all calls.
    """

    def __init__(self, folder: Path, share: float, seed: int) -> None:
        self.folder, self._share, self._rng = folder, share, random.Random(seed)
        self.found = list[tuple[Path, int]]()  # with the newest checkpoint that is surely there

    def look(self, system: RecordingSystem) -> None:
        run = system.disk.now.get("run")
        if self._rng.random() < self._share and isinstance(run, Folder):
            path = self.folder / str(len(self.found))
            path.mkdir()
            after_crash(run, path / "run", self._rng)
            self.found.append((path / "run", int(max(system.completed, default="-1"))))


def check_crashes(tmp_path: Path, share: float, seed: int) -> int:
    """How many disks were resumed from; no checkpoint may be lost that was complete."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "after").mkdir()
    images, whole = Images(tmp_path / "after", share, seed), tmp_path / "disk" / "run"
    with pytest.MonkeyPatch.context() as patch:
        replace(RecordingSystem(tmp_path / "disk", images.look), patch)
        train(config(GAME, **SMALL), whole)
    resumed = 0
    for path, surely in images.found:
        said = Ears()
        try:
            found = Run(path).newest(said.warn)
            assert (found[1]["frames"] if found else -1) >= surely
            train(config(GAME, **SMALL), path, said)
        except RunError as error:
            assert surely == -1, error
            assert "\n" not in str(error)
        else:
            resumed += 1
            assert_identical(path, whole)
            assert not list(path.rglob(".phieb-*")) or surely == -1
    assert resumed > 0.8 * len(images.found) > 0
    return resumed


def test_crashes(tmp_path: Path) -> None:
    check_crashes(tmp_path, 0.15, seed=1)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("seed", range(2, 8))
def test_crashes_after_every_call(seed: int, tmp_path: Path, record_property: Record) -> None:
    record_property("crashes", check_crashes(tmp_path, 1.0, seed))
