"""A visit-density from counts alone, without the observations that they are of."""

import numpy as np
from numpy.typing import ArrayLike

from phieb import arguments
from phieb.kernels.novelty.density import OTHER, T, refer_to_now
from phieb.novelty.density import MAX_OBSERVATIONS, VisitDensity


def density_from_counts(
    ids: ArrayLike, counts: ArrayLike, t: int, like: VisitDensity
) -> VisitDensity:
    """A density that has observed t feature vectors, `counts[i]` of them with feature `ids[i]` on.

    A product of factors depends on nothing else: it gives what the density would give that had
    observed the vectors one by one, but for rounding.

    Args:
        ids: features that were on at least once, each once.
        counts: N_i of each, in [1, t].
        t: the number of observations.
        like: a density whose settings the new one gets.

    Example:
        >>> density = density_from_counts([4, 7], [3, 1], 3, like=VisitDensity())
        >>> density.t, density.counts_of([7, 4])
        (3, array([1, 3]))
    """
    t = arguments.whole("t", t, high=MAX_OBSERVATIONS)
    found = arguments.feature_ids("ids", ids, like.num_features)
    numbers = arguments.array("counts", counts, np.int64)
    if numbers.shape != found.shape or np.any((numbers < 1) | (numbers > t)):
        raise ValueError(f"counts must be one number in [1, t = {t}] for each id, got {counts!r}")
    density = VisitDensity(**like.settings())
    rows = density.active_set.rows
    placed = rows.of(found)
    density.ensure_capacity()
    density.tables.features[placed, OTHER] = numbers  # all are off now; "on" is the other value
    density.tables.clock[T] = t
    refer_to_now(found.size, density.tables)
    return density
