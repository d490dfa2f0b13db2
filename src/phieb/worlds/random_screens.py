"""Screens of random play."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.worlds.atari import Atari


def random_screens(game: str, decisions: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """The screens of random play, one per decision, over as many episodes as needed."""
    world = Atari(game, seed=arguments.whole("seed", seed))
    rng = np.random.default_rng(seed)
    screen, _ = world.reset()
    for _ in range(arguments.whole("decisions", decisions, low=1)):
        action = np.int64(rng.integers(world.num_actions))
        screen, _, terminated, truncated, _ = world.step(action)
        if terminated or truncated:
            screen, _ = world.reset()
        yield screen
