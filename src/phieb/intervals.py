"""How sure a mean is."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 10_000


class Mean(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


def bootstrap_mean(values: Sequence[float]) -> Mean:
    """The mean, and the 2.5 % and 97.5 % points of the means of resampled values.

    The resampling is seeded: the same values give the same interval.
    """
    x = np.asarray(values, np.float64)
    rng = np.random.default_rng(0)
    means = rng.choice(x, (RESAMPLES, x.size)).mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return Mean(float(x.mean()), float(low), float(high))
