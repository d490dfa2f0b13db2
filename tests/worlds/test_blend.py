"""Blending of two frames, compared with the emulator's own."""

import numpy as np
import pytest
from ale_py import ALEInterface

from phieb.worlds import Atari
from phieb.worlds.games import rom_path
from tests.worlds.support import FIVE


@pytest.mark.parametrize("game", FIVE)
def test_blending_is_the_emulators_own_byte_for_byte(game: str) -> None:
    """1,000 decisions, 5,000 frames, compared with an emulator with `color_averaging`."""
    world = Atari(game, screen="blend", sticky=0.25)
    world.reset(seed=1)
    seed = int(np.random.default_rng(1).integers(2**31))  # the first draw is the emulator's seed
    noops = np.random.default_rng(1)
    noops.integers(2**31)
    ale = ALEInterface()
    ale.setInt("random_seed", seed)
    ale.setFloat("repeat_action_probability", 0.25)
    ale.setInt("frame_skip", 5)
    ale.setBool("color_averaging", True)
    ale.loadROM(rom_path(game))
    legal = ale.getLegalActionSet()

    def start() -> None:
        ale.reset_game()
        for _ in range(int(noops.integers(1, 24, endpoint=True))):
            ale.act(legal[0])

    start()
    rng = np.random.default_rng(0)
    for _ in range(1_000):
        action = int(rng.integers(18))
        screen, reward, terminated, _, info = world.step(np.int64(action))
        assert reward == ale.act(legal[action])
        assert np.array_equal(screen, ale.getScreen())
        assert terminated == ale.game_over()
        assert info["frames"] == ale.getEpisodeFrameNumber()
        if terminated:
            screen, _ = world.reset()
            start()
            assert np.array_equal(screen, ale.getScreen())
