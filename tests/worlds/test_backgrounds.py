"""The background: the most frequent colour of every pixel, computed once and kept."""

import os
from pathlib import Path

import numpy as np
import pytest

from phieb.files.arrays import packed
from phieb.files.errors import DamagedError
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
    first = background("ALE/Freeway-v5", tmp_path / "kept")
    (file,) = (tmp_path / "kept").iterdir()
    assert file.name == "freeway.safetensors"
    assert first.shape == (210, 160)
    file.write_bytes(packed({"background": first ^ 2}))  # what is there is taken, not played again
    assert np.array_equal(background("freeway", tmp_path / "kept"), first ^ 2)


def test_it_is_computed_where_it_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phieb.worlds.backgrounds.DECISIONS", 20)
    with pytest.warns(RuntimeWarning, match="/proc/none: .*: the background is computed each time"):
        assert background("freeway", "/proc/none").shape == (210, 160)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "venture.safetensors"
    for data in (packed({"background": np.zeros((3, 3))}), packed({}), b"not an array"):
        file.write_bytes(data)
        with pytest.raises(DamagedError, match=r"venture\.safetensors: is n.* (back|file)"):
            background("venture", tmp_path)


def test_a_link_is_not_followed_and_a_pipe_not_read(tmp_path: Path) -> None:
    (tmp_path / "venture.safetensors").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "freeway.safetensors")
    for game, why in (("venture", "is a symbolic link"), ("freeway", "is not a regular file")):
        with pytest.raises(DamagedError, match=why):
            background(game, tmp_path)


def test_random_play_is_repeatable_and_resets_after_an_end() -> None:
    lives = [list(random_screens("venture", 400, seed)) for seed in (1, 1, 2)]
    assert len(lives[0]) == 400
    assert all(np.array_equal(a, b) for a, b in zip(lives[0], lives[1], strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(lives[0], lives[2], strict=True))
