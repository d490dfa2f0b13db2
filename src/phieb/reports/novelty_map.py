"""Pseudocounts over a grid of observations, which show what parts of a space were visited."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import FeatureMap
from phieb.novelty import Bonus

SEEN = 1.0  # a state that was never seen has a pseudocount of about ½, one seen once of about 1½
_FAR = 1e6  # larger bounds mean "no bound" in some environments
_MOST = 1_000  # cells along one side
Range = tuple[float, float]


@dataclass(frozen=True)
class Grid:
    """Observations arranged in a grid; `grid_over` returns one for a space.

    Attributes:
        cells: rows of observations; None for a cell without one.
        edges: the edges of the columns and of the rows.
        labels: the labels of the two axes.
        first_row_below: whether the first row is drawn at the bottom instead of the top.
    """

    cells: list[list[Any]]
    edges: tuple[NDArray[np.float64], NDArray[np.float64]]
    labels: tuple[str, str]
    first_row_below: bool


@dataclass(frozen=True)
class NoveltyMap:
    """Pseudocounts over a grid.

    Attributes:
        grid: the observations.
        pseudocounts: (row, column); NaN for a cell without an observation.
    """

    grid: Grid
    pseudocounts: NDArray[np.float64]

    @property
    def covered(self) -> NDArray[np.bool_]:
        """(row, column): which cells are covered, that is, have a pseudocount of at least 1."""
        return self.pseudocounts >= SEEN

    @property
    def coverage(self) -> float:
        """The share of cells that are covered."""
        return float(self.covered.sum() / (~np.isnan(self.pseudocounts)).sum())


def novelty_map(bonus: Bonus, features: FeatureMap, grid: Grid) -> NoveltyMap:
    """The pseudocount of every observation of a grid; nothing is counted.

    Args:
        bonus: a bonus with pseudocounts, such as `env.bonus` of a wrapper.
        features: its feature map, such as `env.features`.
        grid: the observations.

    Example:
        >>> from phieb.features import OneHot
        >>> from phieb.novelty import CountBonus
        >>> bonus, features = CountBonus(), OneHot(4)
        >>> for state in (0, 0, 3):
        ...     _ = bonus.observe(features.active(state))
        >>> novelty_map(bonus, features, grid_over(spaces.Discrete(4))).pseudocounts
        array([[2., 0.],
               [0., 1.]])
    """
    features = deepcopy(features)  # a map may remember the previous observation
    found = np.full((len(grid.cells), len(grid.cells[0])), np.nan)
    for row, cells in enumerate(grid.cells):
        for column, observation in enumerate(cells):
            if observation is not None:
                features.reset()
                shows = bonus.observes == "observation"
                seen = observation if shows else features.active(observation)
                found[row, column] = bonus.peek(seen)[0]
    return NoveltyMap(grid, found)


def grid_over(
    observations: spaces.Space[Any],
    dimensions: tuple[int, int] = (0, 1),
    bins: int = 40,
    ranges: tuple[Range, Range] | None = None,
    others: Any = None,
    columns: int | None = None,
) -> Grid:
    """A grid over two components of a vector, or over all states of a `Discrete` space.

    Args:
        observations: a `Box` of one dimension, or a `Discrete` space.
        dimensions: for a `Box`, the indices of the horizontal and the vertical component.
        bins: for a `Box`, the number of cells along each side.
        ranges: for a `Box`, the ranges of the two components; None: the bounds of the space.
        others: for a `Box`, an observation with the values of all other components; None: the
            middle of their bounds, or 0 without bounds.
        columns: for a `Discrete` space, the number of states per row; None: a square.

    Raises:
        TypeError: the space is of another kind.
        ValueError: an argument is invalid, or a component has neither bounds nor a range.
    """
    if isinstance(observations, spaces.Discrete):
        return _table(observations, columns)
    if isinstance(observations, spaces.Box) and len(observations.shape) == 1:
        return _plane(observations, dimensions, bins, ranges, others)
    raise TypeError(
        "observations must be a Discrete space or a Box of one dimension to be mapped, got "
        f"{type(observations).__name__}{getattr(observations, 'shape', None) or ''}"
    )


def _table(states: spaces.Discrete, columns: int | None) -> Grid:
    n, start = int(states.n), int(states.start)
    columns = int(np.ceil(np.sqrt(n))) if columns is None else columns
    columns = arguments.whole("columns", columns, low=1, high=_MOST)
    rows = -(-n // columns)
    arguments.whole("rows of states", rows, high=_MOST)
    numbers: list[Any] = [*range(start, start + n), *[None] * (rows * columns - n)]
    cells = [numbers[row * columns : (row + 1) * columns] for row in range(rows)]
    edges = np.arange(columns + 1.0) - 0.5, np.arange(rows + 1.0) - 0.5
    return Grid(cells, edges, ("state in its row", f"row of {columns} states"), False)


def _plane(
    box: spaces.Box,
    dimensions: tuple[int, int],
    bins: int,
    ranges: tuple[Range, Range] | None,
    others: Any,
) -> Grid:
    size = box.shape[0]
    bins = arguments.whole("bins", bins, low=1, high=_MOST)
    across, up = (arguments.whole("dimensions", k, high=size - 1) for k in dimensions)
    if across == up:
        raise ValueError(f"dimensions must be two different ones, got {across} and {up}")
    low, high = _bounds(box)
    if others is None:
        others = np.nan_to_num((low + high) / 2)
    base = np.array(others, box.dtype)
    if base.shape != box.shape:
        raise ValueError(f"others must have shape {box.shape}, got {base.shape}")
    given: Sequence[Range | None] = ranges or (None, None)
    edges = []
    for element, one in zip((across, up), given, strict=True):
        bottom, top = (low[element], high[element]) if one is None else one
        if not np.isfinite([bottom, top]).all():
            raise ValueError(f"ranges must be given: observation[{element}] has no bounds")
        if not bottom < top:
            raise ValueError(f"ranges must go up, got {bottom:g} to {top:g}")
        edges.append(np.linspace(bottom, top, bins + 1))
    middle_x, middle_y = ((one[1:] + one[:-1]) / 2 for one in edges)
    cells = []
    for y in middle_y:
        row = np.repeat(base[None], bins, axis=0)
        row[:, across], row[:, up] = middle_x, y
        cells.append(list(row))
    labels = f"observation[{across}]", f"observation[{up}]"
    return Grid(cells, (edges[0], edges[1]), labels, True)


def _bounds(box: spaces.Box) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The bounds of each component; NaN where there are none."""
    low, high = box.low.astype(float), box.high.astype(float)
    known = (np.abs(low) < _FAR) & (np.abs(high) < _FAR)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)
