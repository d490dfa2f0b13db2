"""Blob-PROST: the reference features of real screens, and a slow twin on all others."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phieb.features import BlobProst
from phieb.features.screens import ScreenFeatures
from phieb.kernels.blob_prost.places import MAX_COLUMNS
from phieb.worlds import Atari, random_screens
from tests import naive

REFERENCE = np.load(Path(__file__).parents[1] / "data" / "blob_prost.npz", allow_pickle=False)

GAMES = ["montezuma_revenge", "venture", "freeway"]

PRESETS = {"martin2017": "tile15x10-tol3", "liang2016": "tile7x4-tol6"}

BIAS = (3, -1, -1, 0, 0)

Screen = NDArray[np.uint8]


def rows_of(features: ScreenFeatures, screen: Screen) -> set[tuple[int, ...]]:
    """The decoded features of a screen; each must come once and lead back to its id."""
    ids = features.active(screen)
    assert ids.dtype == np.int64
    assert np.unique(ids).size == ids.size
    decoded = features.decode(ids)
    assert np.array_equal(features.encode(decoded), ids)
    return set(map(tuple, decoded.tolist()))


def twin_rows(screens: list[Screen], tile: tuple[int, int], tolerance: int) -> set[tuple[int, ...]]:
    """The features of the last of one or two screens, from the definition."""
    places = [naive.blob_places(screen.tolist(), tile, tolerance) for screen in screens]
    basic, space, time = naive.prost_rows(places[-2] if len(places) > 1 else set(), places[-1])
    return {*basic, *space, *time, BIAS}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("game", GAMES)
def test_the_reference_features_of_every_decision(game: str, preset: str) -> None:
    features = BlobProst.preset(preset)  # type: ignore[arg-type]
    screens, first = REFERENCE[f"{game}.raw.screens"], REFERENCE[f"{game}.raw.first"]
    key = f"{game}.raw.{PRESETS[preset]}"
    ends = np.cumsum(REFERENCE[f"{key}.counts"])
    expected = np.split(REFERENCE[f"{key}.features"], ends[:-1])
    assert len(screens) == len(expected) == 8
    for screen, starts, rows in zip(screens, first, expected, strict=True):
        if starts:
            features.reset()
        assert rows_of(features, screen) == {*map(tuple, rows.tolist()), BIAS}


@st.composite
def screens(draw: st.DrawFn) -> Screen:
    """Small screens: noise, blocks, stripes, checkerboards, single pixels, one colour."""
    height, width = draw(st.integers(1, 24)), draw(st.sampled_from([8, 16, 32, 72]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    colours = rng.integers(0, 256, draw(st.integers(1, 6))).astype(np.uint8)
    kind = draw(st.sampled_from(["noise", "blocks", "stripes", "checkers", "pixels", "one"]))
    y, x = np.mgrid[:height, :width]
    period = int(rng.integers(1, 9))
    place = {
        "noise": rng.integers(0, 6, (height, width)),
        "blocks": rng.integers(0, 6, (height, width))[y // period, x // period],
        "stripes": (x if rng.integers(2) else y) // period,
        "checkers": x // period + y // period,
        "pixels": (rng.random((height, width)) < 0.05).astype(int),
        "one": np.zeros((height, width), int),
    }[kind]
    screen: Screen = colours[place % colours.size]
    return screen


@pytest.mark.interpreted
@settings(max_examples=300)
@given(st.data(), st.integers(1, 8), st.integers(1, 9), st.integers(1, 9))
def test_every_kind_of_screen_against_the_definition(
    data: st.DataObject, tolerance: int, tile_height: int, tile_width: int
) -> None:
    one = data.draw(screens())
    two = one[::-1].copy() if data.draw(st.booleans()) else np.roll(one, 3, axis=1)
    least = -(-one.shape[1] // MAX_COLUMNS)
    tile = (min(tile_height, max(one.shape)), max(min(tile_width, max(one.shape)), least))
    features = BlobProst(tile, min(tolerance, max(one.shape)), shape=one.shape)
    assert rows_of(features, one) == twin_rows([one], tile, features.tolerance)
    assert rows_of(features, two) == twin_rows([one, two], tile, features.tolerance)
    features.reset()
    assert rows_of(features, two) == twin_rows([two], tile, features.tolerance)
    boxes = set(map(tuple, features.blobs(two).tolist()))
    assert boxes == set(naive.blob_boxes(two.tolist(), features.tolerance))


@pytest.mark.interpreted
@settings(max_examples=60)
@given(st.data(), st.integers(0, 2**32), st.integers(1, 7))
def test_incremental_updates_do_not_change_the_features(
    data: st.DataObject, seed: int, tolerance: int
) -> None:
    """Long sequences of small changes, no changes and new episodes, against the definition."""
    rng = np.random.default_rng(seed)
    screen = data.draw(screens())
    features = BlobProst((2, 3), tolerance, shape=screen.shape)
    seen: list[Screen] = []
    for _ in range(10):
        screen = screen.copy()
        for _ in range(rng.integers(3)):
            y, x = rng.integers(screen.shape[0]), rng.integers(screen.shape[1])
            screen[y : y + 2, x : x + 3] = rng.choice(screen.ravel())
        if rng.random() < 0.2:
            features.reset()
            seen = []
        seen = [*seen[-1:], screen]
        assert rows_of(features, screen) == twin_rows(seen, (2, 3), tolerance)


@pytest.mark.parametrize("game", ["qbert", "freeway", "frostbite", "montezuma_revenge", "venture"])
def test_a_used_map_gives_the_features_of_a_new_map(game: str) -> None:
    features, fresh = BlobProst(), BlobProst()
    before: Screen | None = None
    for n, screen in enumerate(random_screens(game, 600, 3)):
        if n % 250 == 249:
            features.reset()
            before = None
        found = set(features.active(screen))
        fresh.reset()
        fresh.active(np.zeros_like(screen))  # nothing it kept can be reused
        fresh.reset()
        if before is not None:
            fresh.active(before)
        assert found == set(fresh.active(screen))
        before = screen


@pytest.mark.parametrize("preset", PRESETS)
def test_full_screens_of_noise_and_checkers(preset: str) -> None:
    """The worst case for spans and features: the buffer has to grow."""
    features = BlobProst.preset(preset)  # type: ignore[arg-type]
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 20, (210, 160)).astype(np.uint8)
    checkers = (np.indices((210, 160)).sum(axis=0) % 2 * 40).astype(np.uint8)
    tile, tolerance = features.tile, features.tolerance
    assert rows_of(features, noise) == twin_rows([noise], tile, tolerance)
    assert rows_of(features, checkers) == twin_rows([noise, checkers], tile, tolerance)


FEW = ["asterix", "frostbite", "gravitar", "qbert", "seaquest"]

MORE = ["berzerk", "breakout", "enduro", "ms_pacman", "pitfall", "private_eye", "space_invaders"]


@pytest.mark.parametrize(
    "game", [*FEW, *(pytest.param(game, marks=pytest.mark.slow) for game in MORE)]
)
def test_real_screens_of_many_games(game: str) -> None:
    world = Atari(game, seed=0)
    seen = [world.reset()[0]]
    rng = np.random.default_rng(0)
    while len(seen) < 80:
        screen, _, terminated, _, _ = world.step(np.int64(rng.integers(world.num_actions)))
        seen.append(world.reset()[0] if terminated else screen)
    for preset, pair in (("martin2017", seen[-2:]), ("liang2016", seen[-2:-1])):
        features = BlobProst.preset(preset)  # type: ignore[arg-type]
        for screen in pair:
            found = rows_of(features, screen)
        assert found == twin_rows(pair, features.tile, features.tolerance)


def test_a_decision_allocates_no_memory() -> None:
    """Two arrays take turns."""
    features = BlobProst()
    seen = [features.active(screen) for screen in REFERENCE["venture.raw.screens"]]
    assert all(np.shares_memory(one, two) for one, two in pairwise(seen[::2]))


def test_the_picture_shows_boxes_and_centres() -> None:
    screen = np.zeros((210, 160), np.uint8)
    screen[30:40, 80:100] = 80
    picture = BlobProst().draw(screen, scale=4)
    assert picture.shape == (840, 640, 3)
    assert picture[120, 320:400].tolist() == [[255, 255, 255]] * 80  # the top of the box
    assert picture[34 * 4, 89 * 4].tolist() == [255, 40, 40]  # the centre
    assert picture[126, 344].tolist() == [132, 0, 100]  # colour 40, 0x840064
    assert picture[60, 4].tolist() == [90, 90, 90]  # between two tiles


def test_blobs_does_not_change_the_next_features() -> None:
    screens = REFERENCE["venture.raw.screens"]
    looked, plain = BlobProst(), BlobProst()
    for features in (looked, plain):
        features.active(screens[0])
    looked.draw(screens[5])
    assert set(looked.active(screens[1])) == set(plain.active(screens[1]))


def test_an_unknown_preset() -> None:
    with pytest.raises(ValueError, match='name must be "martin2017" or "liang2016", got'):
        BlobProst.preset("atari")  # type: ignore[arg-type]
