"""The pictures of a film: what is written, drawn and kept on them."""

import numpy as np
import pytest
from PIL import Image

from phieb.drawing import Sighting
from phieb.drawing.playing import AMBER, SKY, Now, Playing, Title, fitting
from phieb.features import BlobProst, OneHot, Tiles
from phieb.worlds import PointMaze2D

NONE = np.zeros(0, np.int64)


def has(picture: np.ndarray | Image.Image, colour: tuple[int, ...]) -> bool:
    return bool((np.asarray(picture) == colour).all(-1).any())


def test_a_tile_is_described_by_what_it_contains() -> None:
    maze = PointMaze2D("small")
    tiles = Tiles(maze.observation_space)
    position, _ = maze.reset(seed=0)
    for feature in tiles.active(position):
        parts = tiles.describe(int(feature)).partition(";")[0].split(", ")
        for x, words in zip(position, parts, strict=True):
            low, _, high = words.partition(" in ")[2].partition(" to ")
            assert float(low) <= x <= float(high)
    assert OneHot(5).describe(3) == "state 3"


# ------------------------------------------------------------------------------- a picture


def test_an_agent_without_a_bonus_has_its_score_only() -> None:
    screen = np.zeros((210, 160), np.uint8)
    playing = Playing(Title("Venture", "Sarsa-ε"), BlobProst())
    plain = playing.drawn(Now(screen, NONE, 0.0, 5))
    assert plain.shape == (720, 1280, 3)
    assert not has(plain, AMBER)
    counted = Now(screen, NONE, 0.0, 5, sighting=Sighting(10), novelty=(3.0, 0.1))
    drawn = Playing(Title("Venture", "Sarsa-φ-EB"), BlobProst()).drawn(counted)
    assert has(drawn, AMBER)
    assert has(drawn, SKY)


def test_rendered_pictures_fit_and_keep_their_form() -> None:
    for height, width in ((20, 20), (1_000, 300), (208, 2_000), (1, 1)):
        drawn = np.asarray(fitting(np.full((height, width, 3), 200, np.uint8), (640, 480)))
        there = drawn.max(2)
        rows, columns = (np.count_nonzero(there.max(k)) for k in (1, 0))
        assert max(rows / 480, columns / 640) == 1.0
        assert rows / columns == pytest.approx(height / width, rel=0.02)
