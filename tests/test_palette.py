"""The palette, compared with the emulator's."""

from typing import Any

import numpy as np

from phieb.palette import ntsc
from phieb.worlds import Atari

FIVE = ["montezuma_revenge", "venture", "freeway", "frostbite", "qbert"]


def started(game: str, **settings: Any) -> Atari:
    world = Atari(game, **settings)
    world.reset(seed=settings.get("seed", 1))
    return world


def test_the_palette_is_the_emulators() -> None:
    for game in FIVE:
        world = started(game, render_mode="rgb_array")
        screen, *_ = world.step(np.int64(0))
        picture = world.render()
        assert picture is not None
        assert np.array_equal(ntsc()[screen >> 1], picture)
