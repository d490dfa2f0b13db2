"""Pseudocounts from context trees over the pixels of a small screen."""

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phieb import worlds
from phieb.novelty import CtsBonus, CtsDensity, Density, pseudocount
from tests import naive
from tests.kernels.novelty.test_cts import random_screens

Screens = list[NDArray[np.uint8]]


def levels_of(screen: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Every 20th pixel of a game: three bits of its palette byte are its brightness."""
    return (screen[2::5, 2::4] >> 1 & 7).astype(np.uint8)


def observed(screens: Screens, **settings: Any) -> CtsDensity:
    density = CtsDensity(screens[0].shape, **settings)
    for screen in screens:
        density.observe(screen)
    return density


def copied(density: CtsDensity) -> CtsDensity:
    copy = CtsDensity(density.shape, density.levels)
    copy.restore(density.state())
    return copy


@pytest.mark.parametrize("game", ["venture", "montezuma_revenge"])
def test_real_screens_against_the_recursion(game: str) -> None:
    fast, slow = CtsDensity((42, 40)), naive.CtsDensity(8)
    for decision, screen in enumerate(worlds.random_screens(game, 60, 1)):
        if decision % 10 == 9:
            small = levels_of(screen)
            assert fast.observe(small) == pytest.approx(slow.observe(small), rel=1e-9, abs=1e-9)
    assert len(fast.rows) == sum(len(tree.counts) for tree in slow.trees.values())


@pytest.mark.parametrize(("shape", "levels"), [((1, 2), 8), ((2, 2), 3), ((3, 2), 2)])
def test_it_is_a_distribution_over_screens(shape: tuple[int, int], levels: int) -> None:
    density = observed(random_screens(shape, levels, 0, 12), levels=levels)
    chances = []
    for pixels in itertools.product(range(levels), repeat=shape[0] * shape[1]):
        log_rho, _ = copied(density).observe(np.reshape(pixels, shape))
        chances.append(math.exp(log_rho))
    assert math.fsum(chances) == pytest.approx(1.0, rel=1e-12)


def test_it_is_a_density() -> None:
    assert isinstance(CtsDensity(), Density)


def test_a_screen_seen_again_is_more_probable() -> None:
    first, *others = random_screens((6, 6), 8, 1, 20)
    density = observed(others)
    before = -math.inf
    for _ in range(50):
        log_rho, log_rho_prime = density.observe(first)
        assert before < log_rho < log_rho_prime
        before = log_rho


def test_the_pseudocount_of_a_constant_screen_is_how_often_it_was_seen() -> None:
    """For one pixel to the last digit, n + 1/K; for more of them as soon as they are learnt."""
    pixel, few = CtsBonus(shape=(1, 1)), CtsBonus(shape=(2, 3))
    for n in range(3_000):
        pixel.observe(np.zeros((1, 1), int))
        few.observe(np.zeros((2, 3), int))
        assert pixel.pseudocount == pytest.approx(n + 1 / 8, rel=1e-6)
    assert few.pseudocount == pytest.approx(n, rel=0.01)


def test_the_pseudocount_of_one_of_two_screens_grows_with_its_count() -> None:
    """Screens without order, each seen as often as the other: N̂ doubles when the count does."""
    bonus, found = CtsBonus(shape=(10, 10)), {}
    screens = np.random.default_rng(0).integers(8, size=(2, 10, 10))
    for n in range(1, 2_001):
        for screen in screens:
            bonus.observe(screen)
        found[n] = bonus.pseudocount
    assert found[2_000] / found[1_000] == pytest.approx(2.0, rel=0.1)


def test_the_bonus_is_the_definition() -> None:
    bonus, density = CtsBonus(beta=2.0, kappa=0.1, shape=(4, 5)), CtsDensity((4, 5))
    assert bonus.pseudocount == 0.0
    for action, screen in enumerate(random_screens((4, 5), 8, 2, 30)):
        count = pseudocount(*density.observe(screen))
        assert bonus.observe(screen, action) == 2.0 / math.sqrt(count + 0.1)
        assert bonus.pseudocount == count


def test_no_gain_gives_no_bonus(monkeypatch: pytest.MonkeyPatch) -> None:
    bonus = CtsBonus(shape=(1, 1))
    monkeypatch.setattr(bonus.density, "observe", lambda screen: (-3.0, -3.1))
    assert bonus.observe(np.zeros((1, 1), int)) == 0.0
    assert bonus.pseudocount == math.inf


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.integers(0, 30))
def test_a_restored_density_resumes_exactly(seed: int, stop: int) -> None:
    density, screens = CtsDensity((5, 4)), random_screens((5, 4), 8, seed, 30)
    for screen in screens[:stop]:
        density.observe(screen)
    copy = copied(density)
    for screen in screens[stop:]:
        assert density.observe(screen) == copy.observe(screen)
    one, other = density.state(), copy.state()
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_saved_and_loaded_in_mid_stream(tmp_path: Path) -> None:
    bonus, copy = CtsBonus(shape=(42, 40)), CtsBonus(shape=(42, 40))
    screens = [levels_of(screen) for screen in worlds.random_screens("venture", 200, 2)]
    for screen in screens[:120]:
        bonus.observe(screen)
    bonus.save(tmp_path / "bonus")
    copy.load(tmp_path / "bonus")
    assert copy.pseudocount == bonus.pseudocount
    assert [copy.observe(s) for s in screens[120:]] == [bonus.observe(s) for s in screens[120:]]


def test_other_settings_are_refused_field_by_field(tmp_path: Path) -> None:
    CtsBonus(shape=(4, 5)).save(tmp_path / "b")
    with pytest.raises(ValueError, match=r"shape is \[4, 5\] there and \[5, 4\] here; levels is 8"):
        CtsBonus(shape=(5, 4), levels=9).load(tmp_path / "b")


def test_a_bad_state_changes_nothing() -> None:
    density = observed(random_screens((3, 3), 8, 3, 10))
    good = density.state()
    ids, counts, weights = good["ids"], good["counts"], good["weights"]
    last = [*ids[:-1]]
    for name, bad, says in (
        ("t", np.array([-1]), r"state\['t'\] must be in \[0, 2147483648\], got -1"),
        ("t", np.array([2**40]), r"state\['t'\] must be in \[0, 2147483648\], got"),
        ("t", np.array([11]), r"of each of 9 roots to t = 11"),
        ("t", np.array([10.0]), r"state\['t'\] must be int64 \(1,\), got float64 \(1,\)"),
        ("ids", ids[::-1].copy(), "state.'counts'. must add up"),
        ("ids", np.array([*last, 9 * 4681]), r"feature ids in \[0, 42128\], got 42129"),
        ("ids", np.array([*last, -1]), r"feature ids in \[0, 42128\], got -1"),
        ("ids", np.array([*last, ids[0]]), "each feature id once"),
        ("ids", ids[:, None], "state.'ids'. must be int64"),
        ("ids", ids.astype(np.float64), r"state\['ids'\] must be int64 \(any,\), got float64"),
        ("ids", ids[:-1], r"state\['counts'\] must be uint32 \(\d+, 8\), got uint32"),
        ("counts", counts.astype(np.int64), r"state\['counts'\] must be uint32"),
        ("counts", counts + np.uint32(1), "state.'counts'. must add up"),
        ("weights", weights * 2, r"state\['weights'\] must hold pairs above 0 that add up to 1"),
        ("weights", weights * np.nan, r"state\['weights'\] must hold pairs above 0"),
        ("weights", weights - [0.5, -0.5], r"state\['weights'\] must hold pairs above 0"),
        ("weights", weights[:, :1], r"state\['weights'\] must be float64 \(\d+, 2\)"),
    ):
        with pytest.raises(ValueError, match=says):
            density.restore({**good, name: bad})
    for name in good:
        with pytest.raises(ValueError, match=f"state must have '{name}'"):
            density.restore({n: part for n, part in good.items() if n != name})
    screen = np.ones((3, 3), int)
    assert density.observe(screen) == observed([*random_screens((3, 3), 8, 3, 10)]).observe(screen)


def test_missing_nodes_are_detected() -> None:
    """A state without a root, or without a node between root and leaf."""
    density = observed(random_screens((3, 3), 8, 4, 10))
    good = density.state()
    for node in (good["ids"] % 4681 == 0, good["ids"] % 4681 == good["ids"][1] % 4681):
        kept = {name: good[name][~node] for name in ("ids", "counts", "weights")}
        with pytest.raises(ValueError, match="must add up"):
            density.restore({**good, **kept})


@given(st.data())
def test_a_damaged_file_is_a_clear_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.getbasetemp() / f"cts-{data.draw(st.uuids())}"
    bonus, screens = CtsBonus(shape=(3, 3)), random_screens((3, 3), 8, 5, 8)
    for screen in screens:
        bonus.observe(screen)
    bonus.save(file)
    whole = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        del whole[place:]
    else:
        whole[place] ^= 1 << data.draw(st.integers(0, 7))
    file.write_bytes(whole)
    copy = CtsBonus(shape=(3, 3))
    with pytest.raises(ValueError, match=f"^cannot load {file}: "):
        copy.load(file)
    assert copy.density.t == 0


@pytest.mark.parametrize(
    ("screen", "error", "says"),
    [
        (np.zeros((2, 3)), TypeError, "screen must hold whole-number levels, got dtype float64"),
        (np.zeros((3, 2), int), ValueError, r"screen must have shape \(2, 3\), got \(3, 2\)"),
        (np.full((2, 3), 8), ValueError, r"screen must hold levels in \[0, 7\], got 8"),
        (np.full((2, 3), -1), ValueError, r"screen must hold levels in \[0, 7\], got -1"),
        (None, TypeError, "screen must hold whole-number levels, got dtype object"),
    ],
)
def test_a_bad_screen_is_refused_and_nothing_is_learnt(
    screen: Any, error: type[Exception], says: str
) -> None:
    density = CtsDensity((2, 3))
    with pytest.raises(error, match=says):
        density.observe(screen)
    assert density.t == len(density.rows) == 0


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"levels": 1}, r"levels must be a whole number in \[2, 256\], got 1"),
        ({"levels": 257}, r"levels must be a whole number in \[2, 256\], got 257"),
        ({"shape": (42,)}, r"shape must be \(height, width\), got \(42,\)"),
        ({"shape": (0, 42)}, r"shape must be a whole number in \[1, 1000\], got 0"),
        ({"beta": -1.0}, "beta must be a finite number >= 0, got -1.0"),
        ({"kappa": 0.0}, "kappa must be a finite number > 0, got 0.0"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        CtsBonus(**settings)


def test_the_largest_alphabet() -> None:
    density = observed(random_screens((3, 4), 256, 6, 5), levels=256)
    screen = np.full((3, 4), 255)
    assert copied(density).observe(screen) == density.observe(screen)
