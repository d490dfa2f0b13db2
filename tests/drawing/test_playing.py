"""The pictures of a film: what is written, drawn and kept on them."""

import numpy as np
import pytest
from PIL import Image

from phieb.drawing import Novel, Sighting
from phieb.drawing.feed import PAUSE, Feed
from phieb.drawing.lit_screen import colour_of
from phieb.drawing.playing import AMBER, SKY, Now, Playing, Title, fitting
from phieb.drawing.room_map import HERE, KNOWN, SEEN, room_map
from phieb.drawing.strip import Strip
from phieb.drawing.text import BACK, paragraph
from phieb.features import BlobProst, OneHot, Tiles
from phieb.palette import ntsc
from phieb.worlds import PointMaze2D

NONE = np.zeros(0, np.int64)
BOXES = np.array([[0, 0, 209, 0, 159], [42, 30, 44, 20, 29], [42, 90, 104, 100, 109]], np.int64)


def has(picture: np.ndarray | Image.Image, colour: tuple[int, ...]) -> bool:
    return bool((np.asarray(picture) == colour).all(-1).any())


def sighting(*features: int, seen: int = 0, t: int = 100) -> Sighting:
    return Sighting(
        t, novel=tuple(Novel(feature, seen, f"state {feature}") for feature in features)
    )


# ------------------------------------------------------------------------- what is named


def test_a_named_feature_stays_until_its_place_is_needed() -> None:
    feed = Feed(OneHot(9), slots=2, width=560)
    names = []
    for _ in range(3 * PAUSE):
        feed.add(sighting(4, 5, 6))
        names.append([entry.novel.feature for entry in feed.entries if entry is not None])
    assert names[0] == [4]
    assert names[PAUSE] == [4, 5]
    assert names[2 * PAUSE] == [6, 5]
    assert max(map(len, names)) == 2


def test_what_was_often_on_is_not_named() -> None:
    feed = Feed(OneHot(9), slots=2, width=560)
    feed.add(sighting(4, seen=11))  # more than √100
    assert feed.entries == [None, None]
    feed.add(sighting(4, seen=8))
    assert feed.entries[0] is not None


def test_a_pair_is_joined_and_numbered_but_not_with_the_background() -> None:
    features = BlobProst()
    near, far = features.encode(np.array([[0, 42, -1, 2, 2], [1, 42, 42, 4, 8]]))
    feed = Feed(features, slots=1, width=560)
    feed.add(Sighting(10, BOXES, np.ones(3), (Novel(int(far), 0, "", (2, 1)),)))
    picture = Image.new("RGB", (640, 480))
    feed.mark(picture, (210, 160), BOXES, np.array([near]))
    assert not has(picture, colour_of(1.0))  # it is not on
    feed.mark(picture, (210, 160), BOXES, np.array([far]))
    x, y = (np.array([[25, 37.5], [105, 97.5]]).mean(0) * (4, 480 / 210)).astype(int).tolist()
    assert has(picture.crop((x - 2, y - 2, x + 3, y + 3)), colour_of(1.0))

    background = Sighting(10, BOXES, np.ones(3), (Novel(int(near), 0, "", (0,)),))
    alone, picture = Feed(features, slots=1, width=560), Image.new("RGB", (640, 480))
    alone.add(background)
    alone.mark(picture, (210, 160), BOXES[:1], np.array([near]))
    assert not np.asarray(picture).any()


def test_a_colour_is_shown_as_a_colour() -> None:
    drawn = paragraph("blob of colour 42 where one of colour 106 was", 22, 560)
    for number in (42, 106):
        assert has(drawn, tuple(ntsc()[number].tolist()))


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


# -------------------------------------------------------------------- strips and the map


def test_a_strip_shows_the_last_values_on_a_scale_that_fits_them() -> None:
    strip = Strip("bonus", AMBER, (640, 64))
    room = strip.values.maxlen or 0
    for value in [5.0, *[0.013] * (room - 1)]:
        strip.add(value)
    assert strip.scale() == (0.0, 5.0)
    strip.add(0.013)
    assert strip.scale() == (0.0, 0.02)
    assert has(np.asarray(strip.drawn())[:, 600:], AMBER)


@pytest.mark.parametrize("values", [[0.0] * 5, [float("inf")], []])
def test_a_strip_of_nothing_much(values: list[float]) -> None:
    for logarithmic in (False, True):
        strip = Strip("pseudocount", SKY, (640, 64), logarithmic)
        for value in values:
            strip.add(value)
        low, high = strip.scale()
        assert low < high
        assert strip.drawn().size == (640, 64)


def test_rooms_are_told_apart() -> None:
    drawn = room_map((560, 128), 1, {1, 2}, {0, 1, 2})
    counts = [(np.asarray(drawn) == colour).all(-1).sum() for colour in (HERE, SEEN, KNOWN)]
    assert all(count > 500 for count in counts)
    assert (np.asarray(room_map((560, 128), 1, {1}, {1})) == BACK).all(-1).mean() > 0.5


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


@pytest.mark.parametrize("game", ["Venture", "Montezuma's Revenge"])
def test_the_end_of_what_the_agent_is_called_can_be_read(game: str) -> None:
    screen = np.zeros((210, 160), np.uint8)
    names = [f"Sarsa-φ-EB, seed 1, after 300,00{n} frames" for n in (1, 2)]
    one, other = (
        Playing(Title(game, name), BlobProst()).drawn(Now(screen, NONE, 0.0, 5)) for name in names
    )
    assert (one[:64] != other[:64]).any()
    assert (one[64:] == other[64:]).all()


def test_rendered_pictures_fit_and_keep_their_form() -> None:
    for height, width in ((20, 20), (1_000, 300), (208, 2_000), (1, 1)):
        drawn = np.asarray(fitting(np.full((height, width, 3), 200, np.uint8), (640, 480)))
        there = drawn.max(2)
        rows, columns = (np.count_nonzero(there.max(k)) for k in (1, 0))
        assert max(rows / 480, columns / 640) == 1.0
        assert rows / columns == pytest.approx(height / width, rel=0.02)
