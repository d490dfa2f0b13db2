"""The bonus of Bellemare et al. (2016): pseudocounts from context trees over the pixels.

M. G. Bellemare, S. Srinivasan, G. Ostrovski, T. Schaul, D. Saxton & R. Munos, "Unifying
count-based exploration and intrinsic motivation", NeurIPS 2016. The trees are those of J. Veness,
K. S. Ng, M. Hutter & M. Bowling, "Context tree switching", DCC 2012; over more than two symbols,
M. G. Bellemare, J. Veness & E. Talvitie, "Skip context tree switching", ICML 2014.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import Grey
from phieb.kernels.novelty.cts import DEPTH, new_trees, nodes_in_a_tree, observe, with_capacity
from phieb.novelty.base import BONUSES
from phieb.novelty.bonus import PhiBonus
from phieb.novelty.observing import ObservingBonus
from phieb.sparse.rows import Rows

MAX_OBSERVATIONS = 2**31  # counts have 32 bits


class CtsDensity:
    """ρ_t(x) = Π ρ_t^i(x_i | its context), one context tree for each pixel i of a small screen.

    The context of a pixel is its left, up, up-left and up-right neighbours, 0 outside the screen.
    In this order they lead from the root of its tree to a leaf, as in other public implementations:
    the neighbours that share an edge with the pixel are the most informative and come first. See
    `phieb.kernels.novelty.cts` for the tree.

    Args:
        shape: height and width of a screen.
        levels: K, the number of grey levels.

    Attributes:
        t: the number of screens observed.
        rows: a row for every node; nodes are created when their context is first seen.
        trees: the arrays of the kernel (`phieb.kernels.novelty.cts.Trees`).

    Example:
        >>> density = CtsDensity(shape=(1, 1), levels=4)
        >>> log_rho, log_rho_prime = density.observe(np.array([[3]]))
        >>> float(np.exp(log_rho)), float(np.exp(log_rho_prime))  # ¼/1 and (1 + ¼)/2
        (0.25, 0.625)
    """

    def __init__(self, shape: tuple[int, int] = (42, 42), levels: int = 8) -> None:
        self.shape = arguments.height_and_width("shape", shape, 1_000)
        self.levels = arguments.whole("levels", levels, low=2, high=256)
        self.t = 0
        self.rows = Rows()
        self.trees = new_trees(self.num_pixels, self.levels, self.rows.capacity)

    @property
    def num_pixels(self) -> int:
        """The number of pixels, and of trees."""
        return self.shape[0] * self.shape[1]

    def observe(self, screen: NDArray[np.integer[Any]]) -> tuple[float, float]:
        """Observe the screen x; returns log ρ_t(x) and log ρ_{t+1}(x).

        Args:
            screen: levels from 0, of the shape of this density.
        """
        levels = self._checked(screen)
        self.rows.ensure_capacity(self.num_pixels * (DEPTH + 1))
        self.trees = with_capacity(self.trees, self.rows.capacity)
        found: tuple[float, float] = observe(
            levels, self.t, tuple(self.rows.table), tuple(self.trees)
        )
        self.t += 1
        return found

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        return {"shape": list(self.shape), "levels": self.levels}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore` of a density with the same settings."""
        num_nodes = len(self.rows)
        return {
            "t": np.array([self.t]),
            "ids": self.rows.ids(),
            "counts": self.trees.counts[:num_nodes].copy(),
            "weights": self.trees.weights[:num_nodes].copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`, bit for bit."""
        t = int(arguments.array_part("state", state, "t", np.int64, (1,))[0])
        if not 0 <= t <= MAX_OBSERVATIONS:
            raise ValueError(f"state['t'] must be in [0, {MAX_OBSERVATIONS}], got {t}")
        size = nodes_in_a_tree(self.levels)
        ids = arguments.array_part("state", state, "ids", np.int64, (None,))
        ids = arguments.feature_ids("state['ids']", ids, self.num_pixels * size)
        counts = arguments.array_part("state", state, "counts", np.uint32, (ids.size, self.levels))
        weights = arguments.array_part("state", state, "weights", np.float64, (ids.size, 2))
        if not (np.all(weights > 0.0) and np.all(np.abs(weights.sum(axis=1) - 1.0) < 1e-9)):
            raise ValueError("state['weights'] must hold pairs above 0 that add up to 1")
        rows = Rows()
        rows.of(ids)
        if not self._add_up(rows, counts, t):
            raise ValueError(
                "state['counts'] must add up: those of a node's children to its own, and those "
                f"of each of {self.num_pixels} roots to t = {t}"
            )
        trees = new_trees(self.num_pixels, self.levels, rows.capacity)
        trees.counts[: ids.size], trees.weights[: ids.size] = counts, weights
        trees.totals[: ids.size] = counts.sum(axis=1)
        self.t, self.rows, self.trees = t, rows, trees

    def _add_up(self, rows: Rows, counts: NDArray[np.uint32], t: int) -> bool:
        """Whether counts of children add up to those of their parents, and those of roots to t."""
        size, ids = nodes_in_a_tree(self.levels), rows.ids()
        nodes = ids % size
        below, inner = nodes > 0, nodes < size - self.levels**DEPTH
        if np.count_nonzero(~below) != (self.num_pixels if t else 0):
            return False
        parents = rows.known((ids - nodes + (nodes - 1) // self.levels)[below])
        if parents.size != np.count_nonzero(below):
            return False
        sums = np.zeros(counts.shape, np.int64)
        np.add.at(sums, parents, counts[below])
        return np.array_equal(sums[inner], counts[inner]) and bool(
            np.all(counts[~below].sum(axis=1) == t)
        )

    def _checked(self, screen: Any) -> NDArray[np.uint8]:
        array = arguments.array("screen", screen)
        if array.dtype.kind not in "iu":
            raise TypeError(f"screen must hold whole-number levels, got dtype {array.dtype}")
        if array.shape != self.shape:
            raise ValueError(f"screen must have shape {self.shape}, got {array.shape}")
        for level in (array.min(), array.max()):
            if not 0 <= level < self.levels:
                raise ValueError(f"screen must hold levels in [0, {self.levels - 1}], got {level}")
        return np.ascontiguousarray(array, np.uint8)


class CtsBonus(PhiBonus):
    """R(x) = β/√(N̂(x) + κ), where N̂ is the pseudocount of a small grey screen in `CtsDensity`.

    N̂ = ρ(1 − ρ′)/(ρ′ − ρ) = (1 − ρ′)/(e^PG − 1) with the prediction gain PG = log ρ′ − log ρ. For
    the screens of a game ρ′ is negligible, and N̂ ≈ 1/(e^PG − 1), the approximation of Bellemare et
    al. (2016). If PG ≤ 0, N̂ is infinite and the bonus 0.

    Args:
        beta: β, the scale of the bonus.
        kappa: κ, added to the pseudocount; 0.01 in Bellemare et al. (2016).
        shape: height and width of a screen.
        levels: the number of grey levels.

    Attributes:
        density: the context trees.
        pseudocount: N̂ of the last screen (0 before the first).

    Example:
        >>> bonus, screen = CtsBonus(shape=(2, 2)), np.array([[0, 7], [7, 0]])
        >>> first, again = bonus.observe(screen), bonus.observe(screen)
        >>> first > again > 0
        True
    """

    density: CtsDensity

    def __init__(
        self,
        beta: float = 0.05,
        kappa: float = 0.01,
        shape: tuple[int, int] = (42, 42),
        levels: int = 8,
    ) -> None:
        super().__init__(beta, kappa, CtsDensity(shape, levels), per_feature=False)


@BONUSES.declare("cts", label="CTS", citation="Bellemare et al. 2016")
def cts(beta: float, kappa: float) -> ObservingBonus:
    """Pseudocounts of small grey screens under context-tree switching."""
    return ObservingBonus(CtsBonus(beta, kappa), Grey((42, 42), levels=8))
