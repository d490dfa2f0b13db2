"""Mean colours of cells against exact fractions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.kernels.pictures.bass import cell_bins
from tests import naive

pytestmark = pytest.mark.interpreted


@settings(max_examples=60)
@given(
    st.integers(1, 20), st.integers(1, 20), st.integers(1, 20), st.integers(2, 256),
    st.integers(0, 2**32),
)  # fmt: skip
def test_every_shape(height: int, width: int, cell: int, bins: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    screen = rng.integers(0, 256, (height, width)).astype(np.uint8)
    colours = rng.integers(0, 255, (256, 3))
    out = np.empty((-(-height // cell), -(-width // cell), 3), np.uint8)
    cell_bins(screen, colours, cell, bins, out)
    assert out.ravel().tolist() == naive.mean_bins(screen, colours, cell, bins)
