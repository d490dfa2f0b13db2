"""How well an estimated count agrees with the true one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

LATE = 0.8  # rank correlation is taken over the observations after this share of all


class Agreement(NamedTuple):
    """An estimate compared with the true count, over the observations of one trial."""

    factor: float  # of bias: the median of estimated/true where the true count is at least 1
    low: float  # the 10 % quantile of estimated/true
    high: float  # the 90 % quantile
    rank: float  # Spearman's correlation over the last fifth of the observations
    new: float | None  # the median estimate where the true count is 0; None if there are none


def agreement(estimated: ArrayLike, true: ArrayLike) -> Agreement:
    """Compare the estimates of one trial, in the order of time, with the true counts.

    Both grow with time, which alone makes them correlate. So the rank correlation is taken over
    the last fifth of the observations, in which time makes little difference.
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
    """Spearman's ρ: the correlation of the ranks; NaN where all values of one are the same.

    Example:
        >>> rank_correlation([1.0, 2.0, 3.0], [10.0, 100.0, 1000.0])
        1.0
    """
    a, b = ranks(x), ranks(y)
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt(np.sum(a * a) * np.sum(b * b)))
    return float(np.sum(a * b)) / scale if scale else float("nan")


def ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Ranks from 1, equal values sharing the mean of theirs.

    Example:
        >>> ranks([7, 3, 7, 9])
        array([2.5, 1. , 2.5, 4. ])
    """
    _, group, sizes = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    middle: NDArray[np.float64] = (last - (sizes - 1) / 2)[group]
    return middle
