"""Worlds copied and pickled in mid-episode: the copy plays on as the original does."""

import copy
import hashlib
import pickle
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from phieb.worlds import Atari
from tests.worlds.support import play, started

# What another process says of the world in a file: the hash of all that it sees.
ELSEWHERE = (
    "import hashlib, pickle, sys; from tests.worlds.support import play;"
    "world = pickle.loads(open(sys.argv[1], 'rb').read());"
    "print(hashlib.sha256(repr(play(world, 200, seed=3)).encode()).hexdigest())"
)


@pytest.mark.parametrize("sticky", [0.0, 0.25])
@pytest.mark.parametrize("game", ["qbert", "montezuma_revenge"])
def test_a_copy_in_mid_episode_plays_on_as_the_original(
    game: str, sticky: float, tmp_path: Path
) -> None:
    """The first copy and the pickle are taken before the original goes on; all end the same."""
    world = started(game, sticky=sticky, screen="blend", max_frames=600)
    play(world, 150, seed=2)
    twin, pickled = copy.deepcopy(world), pickle.dumps(world)
    (tmp_path / "world").write_bytes(pickled)
    seen = play(world, 200, seed=3)  # several episodes: chance goes on as well
    assert play(twin, 200, seed=3) == seen
    assert play(pickle.loads(pickled), 200, seed=3) == seen  # noqa: S301  # ours
    elsewhere = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(tmp_path / "world")],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert elsewhere.stdout.strip() == hashlib.sha256(repr(seen).encode()).hexdigest()


def test_a_copy_is_another_world() -> None:
    """What is played in one is not played in the other."""
    world = started("venture")
    play(world, 50)
    twin, before = copy.deepcopy(world), world.screen.copy()
    play(twin, 50)
    assert np.array_equal(world.screen, before)
    assert world.frames != twin.frames


def test_a_world_without_an_episode_is_copied_too() -> None:
    world = Atari("freeway", seed=4)
    twin = copy.deepcopy(world)
    assert np.array_equal(twin.reset()[0], world.reset()[0])


def test_a_copy_of_what_gymnasium_makes() -> None:
    """With its wrappers, which know that an episode is under way."""
    env = gymnasium.make("phieb/Atari-v0", game="venture")
    env.reset(seed=5)
    for action in range(10):
        env.step(np.int64(action))
    twin = copy.deepcopy(env)
    for action in range(10):
        mine, other = env.step(np.int64(action)), twin.step(np.int64(action))
        assert np.array_equal(mine[0], other[0])
        assert mine[1:] == other[1:]
