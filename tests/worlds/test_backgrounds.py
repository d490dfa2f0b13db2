"""The background: the most frequent colour of every pixel, computed once and kept."""

from pathlib import Path

import numpy as np
import pytest

from phieb.worlds import background, random_screens
from phieb.worlds.backgrounds import most_frequent_colours


def test_the_most_frequent_colour_of_each_pixel() -> None:
    rng = np.random.default_rng(0)
    screens = rng.integers(0, 8, (50, 4, 8)).astype(np.uint8)
    found = most_frequent_colours(screens)
    for y in range(4):
        for x in range(8):
            colours = (screens[:, y, x] >> 1).tolist()
            assert found[y, x] == 2 * max(range(128), key=lambda c: (colours.count(c), -c))


def test_computed_once_and_kept(tmp_path: Path) -> None:
    first = background("ALE/Freeway-v5", tmp_path)
    (file,) = tmp_path.iterdir()
    assert file.name == "freeway.npy"
    assert first.shape == (210, 160)
    np.save(file, first ^ 2)  # what is there is taken, not played again
    assert np.array_equal(background("freeway", tmp_path), first ^ 2)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "venture.npy", np.zeros((3, 3)))
    with pytest.raises(ValueError, match=r"venture\.npy must be a background, got"):
        background("venture", tmp_path)
    (tmp_path / "freeway.npy").write_bytes(b"not an array")
    with pytest.raises(ValueError, match=r"freeway\.npy must be a background.*delete the file"):
        background("freeway", tmp_path)


def test_random_play_is_repeatable_and_resets_after_an_end() -> None:
    lives = [list(random_screens("venture", 400, seed)) for seed in (1, 1, 2)]
    assert len(lives[0]) == 400
    assert all(np.array_equal(a, b) for a, b in zip(lives[0], lives[1], strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(lives[0], lives[2], strict=True))
