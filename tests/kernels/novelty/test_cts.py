"""Context trees in flat arrays, compared with the recursive definition."""

import math
from copy import deepcopy
from itertools import product

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phieb.kernels.novelty import cts
from phieb.novelty import CtsDensity
from phieb.sparse.rows import Rows
from tests import naive

pytestmark = pytest.mark.interpreted


# Python cannot call inner kernels; these can.
@numba.njit
def learn(path, level, alpha, trees):  # type: ignore[no-untyped-def]
    return cts.learn(path, level, alpha, trees)


@numba.njit
def leaf_of(screen, y, x, levels):  # type: ignore[no-untyped-def]
    return cts.leaf_of(screen, y, x, levels)


shapes = st.tuples(st.integers(1, 5), st.integers(1, 5))


def random_screens(
    shape: tuple[int, int], levels: int, seed: int, count: int
) -> list[NDArray[np.uint8]]:
    """Screens that change in a pixel or two, or all over; levels that are not uniform."""
    rng = np.random.default_rng(seed)
    screens = [rng.integers(levels, size=shape).astype(np.uint8)]
    while len(screens) < count:
        changes = rng.random(shape) < rng.choice([0.0, 0.1, 1.0])
        other = np.minimum(rng.geometric(0.5, shape) - 1, levels - 1)
        screens.append(np.where(changes, other, screens[-1]).astype(np.uint8))
    return screens


@settings(max_examples=12)
@given(shapes, st.integers(2, 9), st.integers(0, 2**32))
def test_random_screens_against_the_recursion(
    shape: tuple[int, int], levels: int, seed: int
) -> None:
    fast, slow = CtsDensity(shape, levels), naive.CtsDensity(levels)
    for screen in random_screens(shape, levels, seed, 15):
        assert fast.observe(screen) == pytest.approx(slow.observe(screen), rel=1e-9, abs=1e-9)
    assert len(fast.rows) == sum(len(tree.counts) for tree in slow.trees.values())


@given(st.lists(st.integers(0, 7), max_size=30))
def test_a_tree_of_one_node_is_its_estimate(levels: list[int]) -> None:
    trees, root = cts.new_trees(1, 8, 1), np.array([0])
    for t, level in enumerate(levels):
        n = levels[:t].count(level)
        found = learn(root, level, 1 / (t + 2), trees)
        assert found == pytest.approx(((n + 1 / 8) / (t + 1), (n + 9 / 8) / (t + 2)), rel=1e-14)


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), max_size=7))
def test_a_node_is_the_mixture_of_all_ways_to_switch(history: list[tuple[int, int]]) -> None:
    """Veness et al. (2012), Eq. 16, for a root with two leaves: 2^n ways, one by one."""
    trees, paths = cts.new_trees(1, 3, 3), np.array([[0, 1], [0, 2]])
    found = 1.0
    for t, (context, level) in enumerate(history):
        found *= learn(paths[context], level, 1 / (t + 2), trees)[0]

    def chance(t: int, at_the_leaf: int) -> float:
        context, level = history[t]
        past = [x for c, x in history[:t] if not at_the_leaf or c == context]
        return (past.count(level) + 1 / 3) / (len(past) + 1)

    expected = 0.0
    for way in product((0, 1), repeat=len(history)):
        weight = 0.5 if way else 1.0
        for t in range(1, len(way)):
            weight *= 1 / (t + 1) if way[t] != way[t - 1] else t / (t + 1)
        expected += weight * math.prod(chance(t, i) for t, i in enumerate(way))
    assert found == pytest.approx(expected, rel=1e-12)


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), max_size=25))
def test_the_levels_of_a_pixel_share_the_probability(history: list[tuple[int, int]]) -> None:
    """In two contexts of one tree: root, one inner node and one leaf each."""
    trees, paths = cts.new_trees(1, 3, 5), np.array([[0, 1, 2], [0, 3, 4]])
    for t, (context, level) in enumerate(history):
        learn(paths[context], level, 1 / (t + 2), trees)
    for path in paths:
        copies = [deepcopy(trees) for _ in range(3)]
        chances = [learn(path, level, 0.1, copies[level])[0] for level in range(3)]
        assert sum(chances) == pytest.approx(1.0, rel=1e-12)


def test_a_path_leads_from_the_root_to_the_leaf() -> None:
    rows, ids, path = Rows(), np.empty(5, np.int64), np.empty(5, np.int64)
    rows.ensure_capacity(10)
    screen = np.array([[4, 3, 5], [2, 0, 0]])
    leaf = leaf_of(screen, 1, 1, 8)  # left 2, up 3, up-left 4, up-right 5
    cts.find_path(10_000, leaf, 8, tuple(rows.table), ids, path)
    assert ids.tolist() == [
        10_000,
        10_000 + 1 + 2,
        10_000 + 1 + 8 + 2 * 8 + 3,
        10_000 + 1 + 8 + 64 + (2 * 8 + 3) * 8 + 4,
        10_000 + 1 + 8 + 64 + 512 + ((2 * 8 + 3) * 8 + 4) * 8 + 5,
    ]
    assert path.tolist() == [0, 1, 2, 3, 4]
    assert cts.nodes_in_a_tree(8) == 1 + 8 + 64 + 512 + 4096
    assert leaf_of(np.full((1, 1), 7), 0, 0, 8) == 1 + 8 + 64 + 512  # all outside: all 0


def test_the_least_probable_screens_do_not_underflow() -> None:
    """After some time of one level every pixel has another: as a number, ρ would be 0."""
    fast, slow = CtsDensity((17, 17)), naive.CtsDensity(8)
    for level in [0] * 12 + [7]:
        screen = np.full((17, 17), level, np.uint8)
        found = fast.observe(screen)
        assert found == pytest.approx(slow.observe(screen), rel=1e-9)
    assert found[0] < np.log(np.finfo(np.float64).tiny)
