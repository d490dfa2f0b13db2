"""Environments of Gymnasium's, killed and resumed: the run comes out as if nothing had happened."""

import random
from pathlib import Path

import pytest

from tests.faults.support import Record, assert_identical, phieb
from tests.faults.test_identity import killed_and_resumed

IDS = ("CartPole-v1", "FrozenLake-v1", "MiniGrid-DoorKey-5x5-v0", "phieb/PointMaze2D-v0")


def killed(game: str, frames: int, kills: int, folder: Path) -> int:
    """Kill and resume a run so often, and compare; returns how often it was killed."""
    seed = random.randrange(2**32)
    print(f"random.Random({seed})")
    given = [game, "--quiet", "--frames", frames, "--checkpoint-every", frames // 12]
    given += ["--max-frames", 200]
    whole, path = folder / "whole", folder / "run"
    assert phieb("train", *given, "--out", whole).returncode == 0
    told = [*map(str, given), "--out", str(path)]
    count = killed_and_resumed(path, told, frames, kills, random.Random(seed))
    assert_identical(path, whole)
    return count


@pytest.mark.parametrize("game", IDS)
def test_killed_and_resumed(game: str, tmp_path: Path) -> None:
    killed(game, 6_000, 1, tmp_path)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("game", IDS)
def test_killed_five_times_and_resumed(game: str, tmp_path: Path, record_property: Record) -> None:
    record_property("kills", killed(game, 30_000, 5, tmp_path))
