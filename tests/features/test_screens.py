"""What all maps of screens have in common: checks, buffers and copies."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from phieb.features import BlobProst

REFERENCE = np.load(Path(__file__).parents[1] / "data" / "blob_prost.npz", allow_pickle=False)


@pytest.mark.parametrize(
    ("screen", "says"),
    [
        (np.zeros((160, 210), np.uint8), r"screen must have shape \(210, 160\), got \(160, 210\)"),
        (
            np.zeros((210, 160), np.int32),
            "screen must be an array of uint8 palette bytes, got int32",
        ),
        (np.zeros((210, 160, 3), np.uint8), r"screen must have shape \(210, 160\)"),
        ([[0]], "screen must be an array of uint8 palette bytes, got list"),
    ],
)
def test_a_bad_screen_is_refused(screen: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        BlobProst().active(screen)  # type: ignore[arg-type]


def test_a_screen_that_is_not_contiguous() -> None:
    screen = REFERENCE["venture.raw.screens"][0]
    flipped = np.asfortranarray(screen)
    assert set(BlobProst().active(flipped)) == set(BlobProst().active(screen))


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ({"tile": (0, 10)}, r"tile must be a whole number in \[1, 210\], got 0"),
        ({"tile": 15}, r"tile must be \(height, width\), got 15"),
        ({"tile": (7, 2)}, "tile must leave at most 63 columns, got 80"),
        ({"tolerance": 0}, r"tolerance must be a whole number in \[1, 210\], got 0"),
        ({"shape": (210, 161)}, "shape must have a width that 8 divides"),
    ],
)
def test_bad_settings_are_refused(setting: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        BlobProst(**setting)  # type: ignore[arg-type]


def test_ids_are_read_only() -> None:
    active = BlobProst().active(REFERENCE["venture.raw.screens"][0])
    with pytest.raises(ValueError, match="read-only"):
        active.sort()


def test_capacity_is_that_of_the_larger_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids are written in turns to two arrays, of which one may have been made larger."""
    monkeypatch.setattr("phieb.features.screens._CAPACITY", 4)
    rng = np.random.default_rng(0)
    features, plain = BlobProst(), BlobProst()
    count = features.active(2 * rng.integers(0, 3, (210, 160), np.uint8)).size
    assert count > 4
    assert features.capacity == 2 * count
    plain.active(np.zeros((210, 160), np.uint8))
    features.active(np.zeros((210, 160), np.uint8))
    assert features.capacity == 2 * count


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda f: pickle.loads(pickle.dumps(f))])  # noqa: S301
def test_a_copy_continues_from_the_same_screen(copied: Callable[[BlobProst], BlobProst]) -> None:
    """It writes to arrays of its own, and reads those."""
    first, second, third = REFERENCE["venture.raw.screens"][:3]
    features = BlobProst()
    features.active(first)
    copy_of_it = copied(features)
    features.active(third)
    plain = BlobProst()
    plain.active(first)
    assert copy_of_it.active(second).tolist() == plain.active(second).tolist()
    assert features.active(first).size > 1
