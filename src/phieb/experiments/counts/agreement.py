"""Agreement of estimated counts with true counts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

LATE = 0.8  # the rank correlation leaves out this share of the observations, the earliest


class Agreement(NamedTuple):
    """Estimates compared with true counts, over the observations of one trial."""

    factor: float  # of bias: the median of estimated/true where the true count is at least 1
    low: float  # the 10 % quantile of estimated/true
    high: float  # the 90 % quantile
    rank: float  # Spearman's correlation over the last fifth of the observations
    new: float | None  # the median estimate where the true count is 0; None if there are none


def agreement(estimated: ArrayLike, true: ArrayLike) -> Agreement:
    """Compare the estimates of one trial, in temporal order, with the true counts.

    Both grow with time, which by itself correlates them. The rank correlation is therefore taken
    over the last fifth of the observations, in which they grow little.
    """
    estimated, true = np.asarray(estimated, np.float64), np.asarray(true)
    seen = true >= 1
    if not seen.any():
        raise ValueError("true must hold a count of at least 1")
    low, factor, high = np.quantile(estimated[seen] / true[seen], (0.1, 0.5, 0.9)).tolist()
    new = None if seen.all() else float(np.median(estimated[~seen]))
    late = int(LATE * true.size)
    return Agreement(factor, low, high, rank_correlation(estimated[late:], true[late:]), new)


def rank_correlation(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's ρ, the correlation of the ranks; NaN if all values of `x` or of `y` are equal.

    Example:
        >>> rank_correlation([1.0, 2.0, 3.0], [10.0, 100.0, 1000.0])
        1.0
    """
    a, b = ranks(x), ranks(y)
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt(np.sum(a * a) * np.sum(b * b)))
    return float(np.sum(a * b)) / scale if scale else float("nan")


def ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Ranks from 1; equal values share their mean rank.

    Example:
        >>> ranks([7, 3, 7, 9])
        array([2.5, 1. , 2.5, 4. ])
    """
    _, group, sizes = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    middle: NDArray[np.float64] = (last - (sizes - 1) / 2)[group]
    return middle
