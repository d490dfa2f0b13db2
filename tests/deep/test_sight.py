"""What deep agents see, against plain loops."""

import numpy as np
import pytest
from gymnasium import spaces

pytest.importorskip("stable_baselines3")

from phieb.deep.sight import Sight, averages
from phieb.palette import ntsc
from phieb.worlds import Atari

pytestmark = pytest.mark.deep


def test_an_atari_screen_is_averaged_to_84_by_84_grey_pixels() -> None:
    world = Atari("venture", seed=1)
    screen, _ = world.reset()
    sight = Sight(world.observation_space, "venture")
    picture = sight.active(screen)[-1]
    red, green, blue = ntsc().astype(float)[screen >> 1].transpose(2, 0, 1)
    grey = np.rint(0.299 * red + 0.587 * green + 0.114 * blue)
    assert picture.shape == (84, 84)
    for row in range(0, 84, 3):
        for column in range(0, 84, 5):
            top, left = row * 210 / 84, column * 160 / 84
            total = 0.0
            for y in range(int(top), min(int(top) + 4, 210)):
                for x in range(int(left), min(int(left) + 3, 160)):
                    high = max(0.0, min(y + 1, top + 2.5) - max(y, top))
                    wide = max(0.0, min(x + 1, left + 160 / 84) - max(x, left))
                    total += high * wide * grey[y, x]
            assert abs(int(picture[row, column]) - total / (2.5 * 160 / 84)) <= 1.0


def test_the_last_four_pictures_of_the_episode() -> None:
    sight = Sight(spaces.Box(0, 255, (40, 50), np.uint8), "own:world")
    pictures = [np.full((40, 50), level, np.uint8) for level in (10, 20, 30, 40, 50)]
    levels = [sight.active(picture)[:, 0, 0].tolist() for picture in pictures]
    assert levels == [
        [10] * 4,
        [10, 10, 10, 20],
        [10, 10, 20, 30],
        [10, 20, 30, 40],
        [20, 30, 40, 50],
    ]
    sight.reset()
    assert sight.active(pictures[4])[:, 3, 3].tolist() == [50] * 4


@pytest.mark.parametrize(
    ("size", "shape"),
    [((5, 5), (40, 40)), ((7, 12), (42, 72)), ((36, 84), (36, 84)), ((200, 100), (84, 84))],
)
def test_pictures_of_other_worlds(size: tuple[int, int], shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    picture = rng.integers(256, size=(*size, 3)).astype(np.uint8)
    sight = Sight(spaces.Box(0, 255, picture.shape, np.uint8), "own:world")
    seen = sight.active(picture)[-1]
    assert seen.shape == shape == sight.shape
    grey = picture @ np.array([0.299, 0.587, 0.114])
    assert abs(seen.mean() - grey.mean()) < 1.0
    if size[0] < 36:
        factor = shape[0] // size[0]
        assert np.array_equal(seen[::factor, ::factor], grey.astype(np.uint8))


def test_rows_of_averages_are_shares_of_equal_parts() -> None:
    assert averages(3, 2).tolist() == [[2 / 3, 1 / 3, 0.0], [0.0, 1 / 3, 2 / 3]]
    assert np.allclose(averages(210, 84).sum(axis=1), 1.0)


@pytest.mark.parametrize(
    "space",
    [spaces.Discrete(4), spaces.Box(0.0, 1.0, (40, 40)), spaces.Box(0, 255, (4, 4, 2), np.uint8)],
)
def test_what_is_no_picture_is_refused(space: spaces.Space[object]) -> None:
    with pytest.raises(ValueError, match=r"a deep agent sees pictures: .*, got"):
        Sight(space, "own:world")
