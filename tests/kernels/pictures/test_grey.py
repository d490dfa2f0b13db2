"""Small grey pictures against the definition, in fractions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.kernels.pictures.grey import grey_levels
from tests import naive

pytestmark = pytest.mark.interpreted

LUMINANCE = np.random.default_rng(0).integers(0, 256, 256).astype(np.int32)


@settings(max_examples=60)
@given(st.data(), st.sampled_from([2, 3, 8, 255, 256]), st.integers(0, 2**32))
def test_every_shape(data: st.DataObject, levels: int, seed: int) -> None:
    height, width = data.draw(st.integers(1, 20)), data.draw(st.integers(1, 20))
    shape = data.draw(st.integers(1, height)), data.draw(st.integers(1, width))
    screen = np.random.default_rng(seed).integers(0, 256, (height, width)).astype(np.uint8)
    out = np.empty(shape, np.uint8)
    grey_levels(screen, LUMINANCE, levels, out)
    assert out.tolist() == naive.grey_picture(screen.tolist(), LUMINANCE.tolist(), shape, levels)


@pytest.mark.parametrize("levels", [2, 3, 7, 8, 256])
def test_one_shade_is_never_rounded_down(levels: int) -> None:
    """The mean of equal shades is that shade, however the pixels are cut."""
    for shade in (0, 1, 127, 128, 254, 255):
        luminance = np.full(256, shade, np.int32)
        out = np.empty((42, 42), np.uint8)
        grey_levels(np.zeros((210, 160), np.uint8), luminance, levels, out)
        assert set(out.ravel().tolist()) == {levels * shade // 256}
