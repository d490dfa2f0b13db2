"""The program of docs/deep.md: PPO on pictures."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from benchmarks import picture_worlds, pictures

pytestmark = pytest.mark.sb3


@pytest.mark.parametrize("arm", ["φ-EB, features by hand", "φ-EB, own units"])
def test_every_kind_of_arm_runs_and_the_same_seed_gives_the_same_row(arm: str) -> None:
    row, again = (pictures.run(pictures.MAZE, arm, 3, steps=1_024) for _ in range(2))
    assert row == again
    assert tuple(row) == pictures.COLUMNS
    assert row["episodes"] == 8
    assert 1 / 17 < float(row["coverage"].split()[-1]) <= 1


def test_a_view_is_drawn_as_minigrid_draws_it() -> None:
    """But for the agent itself, and the light that is on everything it sees."""
    world = picture_worlds.Rooms("MiniGrid-DoorKey-6x6-v0")
    mine, info = world.reset(seed=1)
    game: Any = world.unwrapped
    theirs = game.get_frame(tile_size=6, agent_pov=True)
    seen = np.kron(info["state"]["image"][:, :, 0].T != 0, np.ones((6, 6), bool))
    assert not mine[~seen].any()
    seen[36:, 18:24] = False  # the agent
    lit = mine + 0.3 * (255 - mine.astype(float))
    assert np.abs(lit - theirs)[seen].max() < 2.0  # rounded before the light, or after
