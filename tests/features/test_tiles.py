"""Tile coding."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st

from phieb.features import Tiles

BOX = spaces.Box(-1.0, 3.0, (3,))
points = st.tuples(*[st.floats(-1.0, 3.0)] * 3)


@given(points, st.integers(1, 9), st.integers(1, 9))
def test_one_tile_a_tiling_and_ids_in_range(x: tuple[float, ...], bins: int, tilings: int) -> None:
    tiles = Tiles(BOX, bins, tilings)
    ids = tiles.active(x)
    assert tiles.size == tilings * (bins + 1) ** 3
    per_tiling = tiles.size // tilings
    assert (ids // per_tiling).tolist() == list(range(tilings))


@given(points, points)
def test_points_share_a_tile_just_if_the_grid_says_so(
    x: tuple[float, ...], y: tuple[float, ...]
) -> None:
    """The twin: floor of the shifted, scaled coordinates, tiling by tiling."""
    bins, tilings = 4, 8
    tiles = Tiles(BOX, bins, tilings)
    shared = tiles.active(x) == tiles.active(y)
    for k in range(tilings):
        cells = [
            tuple(
                int(min((p[d] + 1.0) / 4.0 * bins, np.nextafter(bins, 0)) + k * (2 * d + 1) % 8 / 8)
                for d in range(3)
            )
            for p in (x, y)
        ]
        assert shared[k] == (cells[0] == cells[1])


def test_near_points_share_more_than_far_ones() -> None:
    tiles = Tiles(BOX, bins=4, tilings=16)
    here = set(tiles.active([0.0, 0.0, 0.0]))
    shared = [len(here & set(tiles.active([x, 0.0, 0.0]))) for x in (0.0, 0.2, 0.5, 0.9, 2.0)]
    assert shared == sorted(shared, reverse=True)
    assert shared[0] == 16
    assert shared[-1] == 0


def test_outside_counts_as_on_the_bound() -> None:
    tiles = Tiles(BOX)
    assert tiles.active([9.0, -9.0, 1e30]).tolist() == tiles.active([3.0, -1.0, 3.0]).tolist()


@given(points, st.integers(1, 2_000))
def test_hashed_ids_are_in_range_once_each_and_the_same_every_time(
    x: tuple[float, ...], size: int
) -> None:
    tiles = Tiles(BOX, hashed=size)
    ids = tiles.active(x).tolist()
    assert tiles.size == size
    assert len(set(ids)) == len(ids) <= 8
    assert all(0 <= i < size for i in ids)
    assert Tiles(BOX, hashed=size).active(x).tolist() == ids


def test_hashing_spreads_evenly_and_is_the_same_on_every_machine() -> None:
    tiles = Tiles(spaces.Box(0.0, 1.0, (2,)), bins=50, tilings=1, hashed=64)
    grid = np.linspace(0.01, 0.99, 50)
    ids = [int(tiles.active([x, y])[0]) for x in grid for y in grid]
    counts = np.bincount(ids, minlength=64)
    mean = 2_500 / 64
    chi_squared = float(((counts - mean) ** 2 / mean).sum())
    assert chi_squared < 104  # 63 degrees of freedom: a fair hash exceeds this once in 1,000
    assert ids[:3] == [int(tiles.active([0.01, y])[0]) for y in grid[:3]]


def test_a_high_dimension_needs_hashing() -> None:
    box = spaces.Box(0.0, 1.0, (60,))
    with pytest.raises(ValueError, match="pass hashed=N"):
        Tiles(box)
    assert len(Tiles(box, hashed=10_000).active(np.full(60, 0.5))) == 8


def test_cart_pole_with_bounds_of_our_own() -> None:
    env = gymnasium.make("CartPole-v1")
    space = env.observation_space
    assert isinstance(space, spaces.Box)
    with pytest.raises(ValueError, match="low must be below high|must be finite"):
        Tiles(spaces.Box(-np.inf, np.inf, (2,)))
    bound = np.array([2.4, 3.0, 0.21, 3.0])
    tiles = Tiles(space, low=-bound, high=bound)
    observation, _ = env.reset(seed=0)
    assert tiles.active(observation).size == 8
    env.close()


def test_bad_input_is_refused() -> None:
    with pytest.raises(TypeError, match="observations must be a Box of one dimension"):
        Tiles(spaces.Discrete(3))
    with pytest.raises(ValueError, match="bins must be one number or 3 of them, got 2"):
        Tiles(BOX, bins=[4, 4])
    for low in ([0.0, 0.0], "x"):
        with pytest.raises(ValueError, match="low must be one number or 3 of them, got"):
            Tiles(BOX, low=low)
    with pytest.raises(ValueError, match="hashed must be a whole number in"):
        Tiles(BOX, hashed=2**64)
    with pytest.raises(ValueError, match="tilings must be a whole number >= 1, got 0"):
        Tiles(BOX, tilings=0)
    with pytest.raises(ValueError, match=r"observation must have shape \(3,\), got \(2,\)"):
        Tiles(BOX).active([1.0, 2.0])
    with pytest.raises(ValueError, match=r"observation\[.\] must be a finite number, got nan"):
        Tiles(BOX).active([1.0, np.nan, 2.0])
    with pytest.raises(ValueError, match=r"observation\[2\] must be a finite number, got -inf"):
        Tiles(BOX).active([1.0, 0.0, -np.inf])
