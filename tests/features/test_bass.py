"""BASS features of screens."""

import numpy as np
import pytest

from phieb.features import Bass
from phieb.palette import ntsc
from tests import naive
from tests.features.test_blob_prost import GAMES, REFERENCE


@pytest.mark.parametrize("game", GAMES)
def test_real_screens(game: str) -> None:
    bass = Bass()
    bass.reset()
    for screen in REFERENCE[f"{game}.raw.screens"]:
        values = bass.active(screen)
        assert values.shape == (bass.size,)
        assert values.dtype == np.uint8
        colours = ntsc().astype(int).repeat(2, axis=0)
        assert values.tolist() == naive.mean_bins(screen, colours, 20, 20)


@pytest.mark.parametrize("bins", [2, 20, 255, 256])
def test_all_colours_are_below_the_number_of_bins(bins: int) -> None:
    for byte in range(256):
        values = Bass(cell=3, bins=bins, shape=(5, 4)).active(np.full((5, 4), byte, np.uint8))
        assert values.tolist() == (bins * ntsc()[byte >> 1].astype(int) // 255).tolist() * 4


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match=r"screen must have shape \(210, 160\), got \(160, 210\)"):
        Bass().active(np.zeros((160, 210), np.uint8))
    with pytest.raises(
        ValueError, match="screen must be an array of uint8 palette bytes, got list"
    ):
        Bass().active([[0]])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"cell must be a whole number in \[1, 210\], got 0"):
        Bass(cell=0)
    with pytest.raises(ValueError, match=r"bins must be a whole number in \[2, 256\], got 257"):
        Bass(bins=257)
