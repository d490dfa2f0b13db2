"""The list of novel features."""

import numpy as np
from PIL import Image

from phieb.drawing import Novel, Sighting
from phieb.drawing.feed import PAUSE, Feed
from phieb.drawing.lit_screen import colour_of
from phieb.features import BlobProst, OneHot

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
