"""Text on pictures."""

import numpy as np
from PIL import Image

from phieb.drawing.text import paragraph
from phieb.palette import ntsc


def has(picture: np.ndarray | Image.Image, colour: tuple[int, ...]) -> bool:
    return bool((np.asarray(picture) == colour).all(-1).any())


def test_a_colour_is_shown_as_a_colour() -> None:
    drawn = paragraph("blob of colour 42 where one of colour 106 was", 22, 560)
    for number in (42, 106):
        assert has(drawn, tuple(ntsc()[number].tolist()))
