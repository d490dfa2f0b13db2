"""What `features_for` chooses, ranges that are learnt, and coarse cells of colour."""

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from phieb.features import (
    BlobProst,
    ColourCells,
    GridObjects,
    Parts,
    RandomBinary,
    Tiles,
    features_for,
    ranges_of,
)
from phieb.features.choice import wants_ranges


def pictures(*shape: int) -> spaces.Box:
    return spaces.Box(0, 255, shape, np.uint8)


def seen_by_minigrid(*shape: int) -> spaces.Dict:
    return spaces.Dict({"image": pictures(*shape), "direction": spaces.Discrete(4)})


UNBOUNDED = spaces.Box(np.array([-1.0, -np.inf]), np.array([1.0, np.inf]), dtype=np.float64)


@pytest.mark.parametrize(
    ("space", "kind"),
    [
        (spaces.Box(-1, 1, (3,)), Tiles),
        (UNBOUNDED, RandomBinary),
        (spaces.Box(-1, 1, (9,)), RandomBinary),
        (pictures(210, 160), BlobProst),
        (pictures(210, 160, 3), ColourCells),
        (pictures(4, 84, 84), ColourCells),
        (pictures(64, 64), ColourCells),
        (pictures(5), Tiles),
        (seen_by_minigrid(7, 7, 3), GridObjects),
        (seen_by_minigrid(56, 56, 3), Parts),
    ],
)
def test_what_suits(space: spaces.Space[Any], kind: type) -> None:
    features = features_for(space)
    assert type(features) is kind
    assert repr(features).startswith(kind.__name__)


def test_with_ranges_what_has_no_bounds_is_tiled() -> None:
    seen = [[0.0, -2.0], [0.5, 6.0]]
    assert wants_ranges(UNBOUNDED)
    assert not wants_ranges(spaces.Box(-1, 1, (2,)))
    features = features_for(UNBOUNDED, ranges_of(UNBOUNDED, seen))
    assert isinstance(features, Tiles)
    assert features.low.tolist() == [-1.0, -6.0]
    assert features.high.tolist() == [1.0, 10.0]


@given(arrays.arrays(np.uint8, (16, 25, 3)))
@settings(max_examples=30, deadline=None)
def test_coarse_cells_are_those_of_a_slow_twin(picture: np.ndarray[Any, Any]) -> None:
    features, expected = ColourCells(pictures(16, 25, 3), cells=(3, 4)), []
    rows, columns = [k * 16 // 3 for k in range(4)], [k * 25 // 4 for k in range(5)]
    for i in range(3):
        for j in range(4):
            cell = picture[rows[i] : rows[i + 1], columns[j] : columns[j + 1]].reshape(-1, 3)
            red, green, blue = (sum(map(int, c)) // len(cell) * 4 // 256 for c in cell.T)
            expected.append((i * 4 + j) * 64 + red * 16 + green * 4 + blue)
    assert features.active(picture).tolist() == expected
    assert features.size == 12 * 64


@given(st.integers(0, 255))
def test_channels_may_come_first_and_grey_has_eight_levels(level: int) -> None:
    stacked = ColourCells(pictures(4, 84, 84))
    assert len(stacked.active(np.full((4, 84, 84), level, np.uint8))) == 144
    grey = ColourCells(pictures(20, 20), cells=(1, 1))
    assert grey.active(np.full((20, 20), level, np.uint8)).tolist() == [level // 32]


def test_what_is_no_picture() -> None:
    with pytest.raises(TypeError, match="must be a Box of uint8 pictures"):
        ColourCells(spaces.Box(0, 1, (20, 20)))
    with pytest.raises(ValueError, match="observation must be uint8"):
        ColourCells(pictures(20, 20)).active(np.zeros((20, 21), np.uint8))
