"""The density with an active set of its own: one compiled call for each vector observed."""

from typing import NamedTuple

from phieb.kernels.novelty import density
from phieb.kernels.novelty.density import Counts, T, first_sight_log_ratio
from phieb.kernels.numba_support.jit import kernel
from phieb.kernels.sparse.active import FIRST_NEW, Active, is_ascending, see
from phieb.kernels.sparse.rows import Rows

REFUSED = -1  # instead of how many features are new: nothing was counted


class Counted(NamedTuple):
    """All that an observation touches."""

    rows: Rows
    active_set: Active
    counts: Counts


@kernel
def observe_ids(ids, largest, first_sight, held):
    """Observe the vector in which `ids` are on: log ρ_t, L, and two facts of its new features.

    These are what `first_sight` adds to log ρ_t, and their number; or REFUSED, and nothing is
    counted, if the ids are not ascending numbers in [0, largest] or exceed the capacity.
    """
    rows, active_set, counts = held.tables
    if rows.size[0] + ids.size > rows.ids.size or ids.size > active_set.entered.size:
        return 0.0, 0.0, 0.0, REFUSED
    if ids.size and (ids[0] < 0 or ids[ids.size - 1] > largest or not is_ascending(ids)):
        return 0.0, 0.0, 0.0, REFUSED
    see(ids, rows, active_set)
    num_new = rows.size[0] - active_set.sizes[FIRST_NEW]
    extra = num_new * first_sight_log_ratio(first_sight, counts.clock[T])
    log_rho, gain = density.observe(rows.size[0], active_set, counts)
    return log_rho, gain, extra, num_new
