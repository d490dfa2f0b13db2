"""Context tree switching over a screen: one tree per pixel, updated along one path.

A node stands for a context, the levels of the first d neighbours of the pixel. It counts the levels
of the pixel in that context, n_1..n_K out of N, and estimates the next one with a Dirichlet prior
of 1/K,

    e(x) = (n_x + 1/K)/(N + 1).

A leaf predicts p = e. Any other node mixes its own estimate with the prediction p_c of its child on
the path, and after each observation a share α of either weight switches to the other (Veness et al.
2012, §3.1, the node updates of Eq. 16; w and v are the paper's k and s divided by their sum):

    p = w e + v p_c,    w ← ((1 − α) w e + α v p_c)/p,    v ← ((1 − α) v p_c + α w e)/p,

with w = v = ½ initially and α = 1/(t + 1) at the t-th observation of the tree, for all nodes.
k and s are probabilities of a whole history and need logarithms. The shares w and v are at least α
and need none; both are stored, since 1 − w would lose digits.

Nodes of a tree are numbered from the root, 0, level by level: the child of node i for level x is
K i + 1 + x. The id of a node is this number plus the sizes of the trees before. It gets a row when
first visited (`phieb.kernels.sparse.rows`), so the rows of a path are mostly adjacent.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined, kernel
from phieb.kernels.sparse.rows import rows_of

DEPTH = 4
OWN, CHILD = range(2)  # columns of `weights`
NOWHERE = -1
TINY = 1e-250  # a product below this could underflow with one more factor


class Trees(NamedTuple):
    """Counts and weights of the nodes, and the last path of each pixel."""

    counts: NDArray[np.uint32]  # (row, level)
    totals: NDArray[np.uint32]  # (row,): sums of the counts
    weights: NDArray[np.float64]  # (row, 2): w and v; ½ and ½ for a leaf
    leaves: NDArray[np.int64]  # cache (pixel,): the leaf of its last path, or NOWHERE
    paths: NDArray[np.int64]  # cache (pixel, 5): the rows of that path, from the root


def new_trees(num_pixels: int, levels: int, rows: int) -> Trees:
    """Nothing observed yet, with capacity for so many rows."""
    return Trees(
        np.zeros((rows, levels), np.uint32),
        np.zeros(rows, np.uint32),
        np.full((rows, 2), 0.5),
        np.full(num_pixels, NOWHERE),
        np.zeros((num_pixels, DEPTH + 1), np.int64),
    )


def with_capacity(old: Trees, rows: int) -> Trees:
    """The same, with capacity for so many rows."""
    capacity, levels = old.counts.shape
    if rows <= capacity:
        return old
    new = new_trees(0, levels, rows)
    new.counts[:capacity], new.totals[:capacity], new.weights[:capacity] = old[:3]
    return new._replace(leaves=old.leaves, paths=old.paths)


def nodes_in_a_tree(levels: int) -> int:
    """The number of nodes of a full tree, 1 + K + … + K^4."""
    return sum(levels**depth for depth in range(DEPTH + 1))


@inlined
def leaf_of(screen, y, x, levels):
    """The leaf for the levels left, up, up-left and up-right of a pixel; 0 outside the screen."""
    left = up = up_left = up_right = 0
    if x > 0:
        left = int(screen[y, x - 1])
    if y > 0:
        up = int(screen[y - 1, x])
        if x > 0:
            up_left = int(screen[y - 1, x - 1])
        if x + 1 < screen.shape[1]:
            up_right = int(screen[y - 1, x + 1])
    node = 1 + left
    node = levels * node + 1 + up
    node = levels * node + 1 + up_left
    return levels * node + 1 + up_right


@kernel
def find_path(root, leaf, levels, table, ids, path):
    """Write the rows of the nodes from the root, of id `root`, to a leaf to `path` (5,)."""
    node = leaf
    for depth in range(DEPTH, -1, -1):
        ids[depth] = root + node
        node = (node - 1) // levels
    rows_of(ids, table, path)


@inlined
def estimate(row, level, trees):
    """Count a level at a node; returns e(level) before and after."""
    n = trees.counts[row, level] + 1.0 / trees.counts.shape[1]
    total = trees.totals[row] + 1.0
    trees.counts[row, level] += np.uint32(1)
    trees.totals[row] += np.uint32(1)
    return n / total, (n + 1.0) / (total + 1.0)


@inlined
def learn(path, level, alpha, trees):
    """Learn the level of a pixel; returns its probability ρ before and ρ′ after."""
    weights = trees.weights
    rho, rho_prime = estimate(path[path.size - 1], level, trees)
    for depth in range(path.size - 2, -1, -1):
        row = path[depth]
        own, own_prime = estimate(row, level, trees)
        stay, split = weights[row, OWN] * own, weights[row, CHILD] * rho
        rho = stay + split
        over = 1.0 / rho
        w = ((1.0 - alpha) * stay + alpha * split) * over
        v = ((1.0 - alpha) * split + alpha * stay) * over
        weights[row, OWN], weights[row, CHILD] = w, v
        rho_prime = w * own_prime + v * rho_prime
    return rho, rho_prime


@kernel
def observe(screen, t, table, trees):
    """Learn a screen, (height, width) levels; returns log ρ_t and log ρ_{t+1}.

    `table` and `trees` are plain tuples: Numba unboxes named tuples more slowly.
    """
    trees = Trees(*trees)
    height, width = screen.shape
    levels, size = trees.counts.shape[1], 1
    for _ in range(DEPTH):
        size = levels * size + 1
    ids, alpha = np.empty(DEPTH + 1, np.int64), 1.0 / (t + 2.0)
    log_rho = log_rho_prime = 0.0
    product = product_prime = 1.0
    for y in range(height):
        for x in range(width):
            pixel, leaf = y * width + x, leaf_of(screen, y, x, levels)
            if leaf != trees.leaves[pixel]:
                trees.leaves[pixel] = leaf
                find_path(pixel * size, leaf, levels, table, ids, trees.paths[pixel])
            rho, rho_prime = learn(trees.paths[pixel], int(screen[y, x]), alpha, trees)
            product *= rho
            product_prime *= rho_prime
            if min(product, product_prime) < TINY:  # one logarithm for many factors
                log_rho += np.log(product)
                log_rho_prime += np.log(product_prime)
                product = product_prime = 1.0
    return log_rho + np.log(product), log_rho_prime + np.log(product_prime)
