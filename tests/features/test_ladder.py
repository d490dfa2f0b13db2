"""Basic, B-PROS and B-PROST against the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phieb.features import Basic, BPros, BProst
from tests import naive
from tests.features.test_blob_prost import BIAS, REFERENCE, rows_of, screens

EMPTY = np.zeros((210, 160), np.uint8)


def test_the_published_counts() -> None:
    sizes = [kind(EMPTY).size - 1 for kind in (Basic, BPros, BProst)]  # without the bias
    assert sizes == [28_672, 6_885_440, 20_598_848]


@pytest.mark.interpreted
@settings(max_examples=60)
@given(screens(), st.integers(0, 2**32))
def test_small_screens(screen: NDArray[np.uint8], seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Two bytes that differ in the lowest bit only are one colour.
    background = np.where(rng.random(screen.shape) < 0.5, screen ^ 1, 7).astype(np.uint8)
    check([screen, np.roll(screen, 5, axis=0)], background)


@pytest.mark.parametrize("game", ["montezuma_revenge", "venture", "freeway"])
def test_real_screens(game: str) -> None:
    pair = list(REFERENCE[f"{game}.raw.screens"][2:4])
    check(pair, REFERENCE[f"{game}.raw.screens"][0])


def check(pair: list[NDArray[np.uint8]], background: NDArray[np.uint8]) -> None:
    tile = (min(15, max(background.shape)), min(10, max(background.shape)))
    if tile != (15, 10):
        return
    places = [naive.colour_places(s.tolist(), background.tolist(), tile) for s in pair]
    basic, space, time = naive.prost_rows(*places)
    for kind, expected in (
        (Basic, {*basic, BIAS}),
        (BPros, {*basic, *space, BIAS}),
        (BProst, {*basic, *space, *time, BIAS}),
    ):
        features = kind(background)
        features.active(pair[0])
        assert rows_of(features, pair[1]) == expected


def test_the_background_itself_is_nothing() -> None:
    screen = REFERENCE["venture.raw.screens"][0]
    assert rows_of(BProst(screen), screen) == {BIAS}


def test_in_words() -> None:
    features = Basic(EMPTY)
    feature = int(features.encode([(0, 24, -1, 3, 5)])[0])
    assert features.describe(feature) == "pixels of colour 24 in tile row 3, column 5"
    with pytest.raises(ValueError, match="rows must hold features of this map"):
        features.encode([(1, 24, 66, 0, 0)])


def test_a_bad_background_is_refused() -> None:
    with pytest.raises(ValueError, match="uint8 palette bytes"):
        Basic(EMPTY.astype(float))
    for bad in (np.zeros(5, np.uint8), None):
        with pytest.raises(ValueError, match="background must be a screen, got"):
            Basic(bad)  # type: ignore[arg-type]
