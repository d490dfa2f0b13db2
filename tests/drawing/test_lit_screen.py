"""The lit screen, pixel by pixel."""

import numpy as np

from phieb.drawing import Sighting, lit_screen
from phieb.drawing.lit_screen import DARK, colour_of
from phieb.palette import ntsc

COLOUR = 42  # of the palette; a byte of the screen is twice that
BOXES = np.array([[0, 0, 209, 0, 159], [COLOUR, 21, 41, 20, 39], [COLOUR, 105, 125, 100, 119]])


def screen() -> np.ndarray:
    """Two blobs on black."""
    drawn = np.zeros((210, 160), np.uint8)
    drawn[21:42, 20:40] = drawn[105:126, 100:120] = 2 * COLOUR
    return drawn


def at(picture: np.ndarray, row: int, column: int) -> list[int]:
    """The pixel of the picture in the middle of one of the screen."""
    pixel: list[int] = picture[int((row + 0.5) * 480 / 210), column * 4 + 2].tolist()
    return pixel


def test_new_blobs_are_bright_and_outlined_and_old_ones_dark() -> None:
    drawn = np.asarray(lit_screen(screen(), Sighting(10**6, BOXES, np.array([1e6, 0.0, 1e6]))))
    colour = ntsc()[COLOUR].astype(float)
    assert at(drawn, 30, 30) == colour.tolist()
    assert at(drawn, 115, 110) == (colour * DARK).astype(int).tolist()
    assert drawn[70, 4 * 20 - 1].tolist() == list(colour_of(1.0))  # at its left edge
    assert drawn[260, 4 * 100 - 1].tolist() == [0, 0, 0]


def test_without_a_sighting_it_is_the_plain_screen() -> None:
    drawn = np.asarray(lit_screen(screen()))
    assert drawn.shape == (480, 640, 3)
    rows = (np.arange(480) * 210) // 480
    plain = ntsc()[screen() >> 1][rows].repeat(4, 1)
    assert (drawn == plain).all(2).mean() > 0.98  # a row at an edge may be of two


def test_the_scale_gets_brighter_all_the_way() -> None:
    """So that it can be read without colours."""
    light = [sum(np.array([0.2126, 0.7152, 0.0722]) * colour_of(k / 20)) for k in range(21)]
    assert all(np.diff(light) > 0)
