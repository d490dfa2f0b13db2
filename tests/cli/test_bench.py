"""`phieb bench`: what it refuses to measure."""

from pathlib import Path

import pytest

from phieb.training import preset, train
from tests.cli.conftest import Refused


@pytest.fixture(scope="module")
def gymnasium_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run"
    return train(preset("default", "FrozenLake-v1", frames=20), path).path


def test_only_atari_runs_are_measured(gymnasium_run: Path, assert_refused: Refused) -> None:
    """There is no emulator that others could be compared with."""
    says = f"--trained must be Atari runs with built-in parts, got {gymnasium_run} (FrozenLake-v1"
    assert_refused(["bench", "--games", "", "--trained", str(gymnasium_run)], says)
