"""Grey images of screens."""

import numpy as np
import pytest
from ale_py import ALEInterface, LoggerMode

from phieb.features import Grey
from phieb.worlds.games import rom_path
from tests import naive


@pytest.mark.parametrize("game", ["montezuma_revenge", "freeway", "carnival"])
def test_real_screens_are_the_emulators_own_grey_averaged(game: str) -> None:
    """Also where a screen is taller than 210 rows."""
    ALEInterface.setLoggerMode(LoggerMode.Error)
    ale = ALEInterface()
    ale.loadROM(rom_path(game))
    for action in ale.getLegalActionSet()[:6]:
        for _ in range(10):
            ale.act(action)
        screen, grey = ale.getScreen(), ale.getScreenGrayscale()
        assert np.array_equal(Grey(screen.shape).active(screen), grey)
    for shape, levels in (((42, 42), 8), ((52, 52), 256)):
        expected = naive.grey_picture(grey.tolist(), range(256), shape, levels)
        assert Grey(shape, levels).active(screen).tolist() == expected


def test_a_new_picture_each_time() -> None:
    grey = Grey(levels=8)
    grey.reset()
    assert grey.size == 42 * 42
    dark = grey.active(np.zeros((210, 160), np.uint8))
    light = grey.active(np.full((210, 160), 15, np.uint8)[::-1])
    assert dark.shape == (42, 42)
    assert dark.dtype == np.uint8
    assert set(dark.ravel().tolist()) == {0}
    assert set(light.ravel().tolist()) == {7}


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="screen must be an array of uint8 palette bytes, got int"):
        Grey().active(np.zeros((210, 160), int))
    for shape in ((41, 160), (210, 41), (210, 160, 3)):
        with pytest.raises(ValueError, match=r"must have at least shape \(42, 42\), got \("):
            Grey().active(np.zeros(shape, np.uint8))
    with pytest.raises(ValueError, match=r"levels must be a whole number in \[2, 256\], got 1"):
        Grey(levels=1)
    with pytest.raises(ValueError, match=r"shape must be \(height, width\), got 42"):
        Grey(42)  # type: ignore[arg-type]
