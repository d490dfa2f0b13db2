"""Pseudocounts over a grid of observations, the share of it that was seen, picture and film."""

from pathlib import Path
from typing import Any

import av
import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from phieb.features import BlobProst, OneHot, Tiles
from phieb.novelty import CountBonus, ObservingBonus, PhiBonus
from phieb.reports import grid_over, novelty_map
from phieb.reports.novelty_figure import figure, film
from phieb.wrappers import ExplorationBonus

BOX = spaces.Box(np.array([-1.0, 0.0, -np.inf]), np.array([1.0, 4.0, np.inf]), dtype=np.float64)


@given(st.lists(st.integers(-2, 9), max_size=40), st.integers(1, 15))
def test_of_a_table_of_states_it_is_their_counts(visits: list[int], columns: int) -> None:
    states = spaces.Discrete(12, start=-2)
    bonus, features = CountBonus(), OneHot(states)
    for state in visits:
        bonus.observe(features.active(state))
    found = novelty_map(bonus, features, grid_over(states, columns=columns))
    assert found.pseudocounts.shape == (-(-12 // columns), columns)
    shown = found.pseudocounts.ravel()
    assert shown[:12].tolist() == [visits.count(state) for state in range(-2, 10)]
    assert np.isnan(shown[12:]).all()
    assert found.coverage == len(set(visits)) / 12


def test_of_a_plane_each_cell_is_what_its_middle_would_be() -> None:
    tiles, bonus = Tiles(BOX, low=[-1, 0, -2], high=[1, 4, 2]), PhiBonus()
    rng = np.random.default_rng(0)
    for _ in range(300):
        bonus.observe(tiles.active(rng.uniform([-1, 0, 0], [0, 4, 1])))
    before = bonus.state()
    grid = grid_over(BOX, (1, 0), bins=4, others=[9.0, 9.0, 0.5])
    found = novelty_map(bonus, tiles, grid)
    for row, x in enumerate((-0.75, -0.25, 0.25, 0.75)):
        for column, y in enumerate((0.5, 1.5, 2.5, 3.5)):
            expected = bonus.peek(tiles.active([x, y, 0.5]))[0]
            assert found.pseudocounts[row, column] == expected
    assert found.covered.tolist() == [[True] * 4] * 2 + [[False] * 4] * 2
    assert found.coverage == 0.5
    assert grid.labels == ("observation[1]", "observation[0]")
    assert grid.edges[0].tolist() == [0, 1, 2, 3, 4]
    after = bonus.state()
    assert all(np.array_equal(after[name], before[name]) for name in before)


def test_a_range_and_what_the_other_elements_are() -> None:
    grid = grid_over(BOX, (0, 2), bins=2, ranges=((-1.0, 1.0), (10.0, 30.0)))
    assert [cell.tolist() for cell in grid.cells[1]] == [[-0.5, 2.0, 25.0], [0.5, 2.0, 25.0]]
    assert grid_over(BOX, bins=1).cells[0][0].tolist() == [0.0, 2.0, 0.0]


def test_a_wrapped_environment_and_a_bonus_that_looks_at_observations_itself() -> None:
    env = ExplorationBonus(gymnasium.make("MountainCar-v0"), PhiBonus())
    env.reset(seed=0)
    for _ in range(150):
        env.step(2)
    found = novelty_map(env.bonus, env.features, grid_over(env.observation_space, bins=10))
    assert 0.05 < found.coverage < 0.5
    own = ObservingBonus(CountBonus(), OneHot(3))
    own.observe(2)
    assert novelty_map(own, OneHot(7), grid_over(spaces.Discrete(3), columns=3)).pseudocounts[
        0
    ].tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("space", "settings", "says"),
    [
        (spaces.Box(0, 255, (8, 8), np.uint8), {}, r"one dimension to be mapped, got Box\(8, 8\)"),
        (spaces.Dict({"a": BOX}), {}, "to be mapped, got Dict$"),
        (BOX, {"dimensions": (0, 2)}, r"ranges must be given: observation\[2\] has no bounds"),
        (BOX, {"dimensions": (0, 3)}, r"dimensions must be a whole number in \[0, 2\], got 3"),
        (BOX, {"dimensions": (1, 1)}, "dimensions must be two different ones, got 1 and 1"),
        (BOX, {"ranges": ((1.0, 0.0), (0.0, 1.0))}, "ranges must go up, got 1 to 0"),
        (BOX, {"others": [0.0]}, r"others must have shape \(3,\), got \(1,\)"),
        (BOX, {"bins": 0}, r"bins must be a whole number in \[1, 1000\], got 0"),
        (spaces.Discrete(9), {"columns": 0}, r"columns must be a whole number in \[1, 1000\]"),
    ],
)
def test_what_cannot_be_mapped_is_said(
    space: spaces.Space[Any], settings: dict[str, Any], says: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        grid_over(space, **settings)


def test_a_map_with_a_memory_is_asked_afresh_and_left_as_it_was() -> None:
    screen = np.zeros((210, 160), np.uint8)
    screen[50:60, 20:30] = 14
    features, bonus = BlobProst(), CountBonus()
    ids = features.active(screen).copy()
    bonus.observe(ids)
    grid = grid_over(spaces.Discrete(1))
    grid.cells[0][0] = screen
    assert novelty_map(bonus, features, grid).pseudocounts.tolist() == [[1.0]]
    assert features.active(screen).size > ids.size  # it still remembers: pairs in time


def test_picture_and_film_show_what_grows(tmp_path: Path) -> None:
    bonus, features, grid = CountBonus(), OneHot(16), grid_over(spaces.Discrete(16))
    maps = []
    for state in range(16):
        bonus.observe(features.active(state))
        maps.append((f"{state} steps", novelty_map(bonus, features, grid)))
    film(maps, tmp_path / "film.mp4")
    with av.open(str(tmp_path / "film.mp4")) as opened:
        pictures = [frame.to_ndarray(format="rgb24") for frame in opened.decode(video=0)]
    assert len(pictures) == 16
    seen = [_blue(picture) for picture in pictures]
    assert seen == sorted(seen)
    assert seen[-1] > 10 * seen[0] > 0
    figure(maps[3][1], tmp_path / "map.png", "a title")
    picture = np.asarray(Image.open(tmp_path / "map.png").convert("RGB"))
    assert _blue(picture) == pytest.approx(seen[3], rel=0.05)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["film.mp4", "map.png"]
    with pytest.raises(ValueError, match="maps must be at least one"):
        film([], tmp_path / "none.mp4")


def _blue(picture: Any) -> int:
    """How many pixels have the colour of what is covered."""
    away = np.abs(picture.astype(int) - np.array([0x00, 0x72, 0xB2])).max(axis=2)
    return int((away < 25).sum())
