"""Context tree switching over a screen: one tree for every pixel, each touched along one path.

A node stands for a context, the first d of a pixel's neighbours. It has counted which levels the
pixel had there, n_1..n_K out of N, and estimates the next one by a Dirichlet prior of 1/K,

    e(x) = (n_x + 1/K)/(N + 1).

A leaf predicts p = e. Every other node mixes its own estimate with the prediction p_c of its child
on the path, and after each observation some weight switches sides (Veness et al. 2012, §3.1, the
node updates of Eq. 16; k and s in the paper, here divided by their sum):

    p = w e + v p_c,    w ← ((1 − α) w e + α v p_c)/p,    v ← ((1 − α) v p_c + α w e)/p,

with w = v = ½ at first and α = 1/(t + 1) at the t-th observation of the tree, whichever node.
The paper needs logarithms for k and s, which are probabilities of a whole history. Their shares
w and v are never below α, so plain numbers do; both are kept, as 1 − w would lose digits.

Nodes of a tree are numbered from the root, 0, level by level: the child for level x of node i is
K i + 1 + x. With the trees one after the other this is a node's id, and it gets a row at first
sight (`phieb.kernels.sparse.rows`), so those of a path mostly lie side by side.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined, kernel
from phieb.kernels.sparse.rows import rows_of

DEPTH = 4
OWN, CHILD = range(2)  # columns of `weights`
NOWHERE = -1
TINY = 1e-250  # times one more probability, still a number


class Trees(NamedTuple):
    """What the nodes have counted, by row, and where each pixel was last."""

    counts: NDArray[np.uint32]  # (row, level)
    totals: NDArray[np.uint32]  # (row,): their sums
    weights: NDArray[np.float64]  # (row, 2): w and v; of a leaf ½ and ½
    leaves: NDArray[np.int64]  # scratch (pixel,): the leaf that its path led to, or NOWHERE
    paths: NDArray[np.int64]  # scratch (pixel, 5): the rows of that path, from the root


def new_trees(num_pixels: int, levels: int, rows: int) -> Trees:
    """Nothing observed yet, and room for so many rows."""
    return Trees(
        np.zeros((rows, levels), np.uint32),
        np.zeros(rows, np.uint32),
        np.full((rows, 2), 0.5),
        np.full(num_pixels, NOWHERE),
        np.zeros((num_pixels, DEPTH + 1), np.int64),
    )


def with_room(old: Trees, rows: int) -> Trees:
    """The same, with room for so many rows."""
    room, levels = old.counts.shape
    if rows <= room:
        return old
    new = new_trees(0, levels, rows)
    new.counts[:room], new.totals[:room], new.weights[:room] = old[:3]
    return new._replace(leaves=old.leaves, paths=old.paths)


def nodes_in_a_tree(levels: int) -> int:
    """1 + K + … + K^4."""
    return sum(levels**depth for depth in range(DEPTH + 1))


@inlined
def leaf_of(screen, y, x, levels):
    """The number of the leaf for a pixel's left, up, up-left and up-right; 0 outside."""
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
    """The rows of the nodes from the one with id `root` to the leaf of this number."""
    node = leaf
    for depth in range(DEPTH, -1, -1):
        ids[depth] = root + node
        node = (node - 1) // levels
    rows_of(ids, table, path)


@inlined
def estimate(row, level, trees):
    """e(level) of a node, then count it, then e(level) again."""
    n = trees.counts[row, level] + 1.0 / trees.counts.shape[1]
    total = trees.totals[row] + 1.0
    trees.counts[row, level] += np.uint32(1)
    trees.totals[row] += np.uint32(1)
    return n / total, (n + 1.0) / (total + 1.0)


@inlined
def learn(path, level, alpha, trees):
    """The probability of a pixel's level, then learn it, then its probability again."""
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
    """Log ρ_t of a screen, which is then learnt, and log ρ_{t+1}.

    `table` and `trees` are plain tuples: named ones take longer to hand over from Python.
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
            if min(product, product_prime) < TINY:  # one logarithm for many
                log_rho += np.log(product)
                log_rho_prime += np.log(product_prime)
                product = product_prime = 1.0
    return log_rho + np.log(product), log_rho_prime + np.log(product_prime)
