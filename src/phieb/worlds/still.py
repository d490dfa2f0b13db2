"""A still image of a game."""

import io
from collections import deque

import numpy as np
from PIL import Image

from phieb.palette import ntsc
from phieb.worlds.names import is_atari
from phieb.worlds.random_screens import random_screens

DECISIONS = 60  # of random play before the image


def still(game: str) -> bytes | None:
    """A PNG image of an Atari game after some random play; None for other worlds."""
    if not is_atari(game):
        return None
    (screen,) = deque(random_screens(game, DECISIONS, seed=0), maxlen=1)
    wide = np.repeat(screen, 2, axis=1)  # Atari pixels are twice as wide as high
    file = io.BytesIO()
    Image.fromarray(ntsc()[wide >> 1]).save(file, "PNG", optimize=True)
    return file.getvalue()
