"""Means with bootstrap confidence intervals."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
BAND_RESAMPLES = 2_000  # for each point of a curve


class Mean(NamedTuple):
    """A mean with its 95 % confidence interval."""

    mean: float
    low: float
    high: float


def bootstrap_mean(values: Sequence[float]) -> Mean:
    """The mean with its percentile-bootstrap 95 % interval.

    The resampling is seeded: the same values give the same interval.
    """
    x = np.asarray(values, np.float64)
    rng = np.random.default_rng(0)
    means = rng.choice(x, (RESAMPLES, x.size)).mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return Mean(float(x.mean()), float(low), float(high))


def interquartile_mean(values: Sequence[float]) -> float:
    """The mean of the middle half: a quarter of the values, rounded down, is dropped at each end.

    Example:
        >>> interquartile_mean([0.0, 2.0, 4.0, 1000.0])
        3.0
    """
    x = np.sort(np.asarray(values, np.float64))
    cut = x.size // 4
    return float(x[cut : x.size - cut].mean())


def bootstrap_band(curves: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2, points): the pointwise 95 % interval of the mean of curves, (curves, points).

    Whole curves are resampled, with a fixed seed.
    """
    num = len(curves)
    drawn = np.random.default_rng(0).integers(num, size=(BAND_RESAMPLES, num))
    share = np.stack([(drawn == one).mean(axis=1) for one in range(num)], axis=1)
    band: NDArray[np.float64] = np.quantile(share @ curves, (0.025, 0.975), axis=0)
    return band
