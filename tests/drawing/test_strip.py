"""The strip chart."""

import numpy as np
import pytest
from PIL import Image

from phieb.drawing.playing import AMBER, SKY
from phieb.drawing.strip import Strip


def has(picture: np.ndarray | Image.Image, colour: tuple[int, ...]) -> bool:
    return bool((np.asarray(picture) == colour).all(-1).any())


# -------------------------------------------------------------------- strips and the map


def test_a_strip_shows_the_last_values_on_a_scale_that_fits_them() -> None:
    strip = Strip("bonus", AMBER, (640, 64))
    room = strip.values.maxlen or 0
    for value in [5.0, *[0.013] * (room - 1)]:
        strip.add(value)
    assert strip.scale() == (0.0, 5.0)
    strip.add(0.013)
    assert strip.scale() == (0.0, 0.02)
    assert has(np.asarray(strip.drawn())[:, 600:], AMBER)


@pytest.mark.parametrize("values", [[0.0] * 5, [float("inf")], []])
def test_a_strip_of_nothing_much(values: list[float]) -> None:
    for logarithmic in (False, True):
        strip = Strip("pseudocount", SKY, (640, 64), logarithmic)
        for value in values:
            strip.add(value)
        low, high = strip.scale()
        assert low < high
        assert strip.drawn().size == (640, 64)
