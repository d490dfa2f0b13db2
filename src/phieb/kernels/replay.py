"""Parts of a decision played again, many at once, so that each can be timed by what it adds."""

from phieb.kernels import density, sarsa
from phieb.kernels.active import Active, see
from phieb.kernels.blobs import Scratch, find_blobs
from phieb.kernels.density import Counts
from phieb.kernels.jit import kernel
from phieb.kernels.rows import Rows
from phieb.kernels.value import Value

ROWS, DENSITY, VALUE = 0, 1, 2  # what to do beside looking up rows


@kernel
def replay_blobs(screens, tolerance, tile, scratch, places):
    """Find the blobs of every screen, without their features."""
    scratch = Scratch(*scratch)
    for k in range(screens.shape[0]):
        find_blobs(screens[k], tolerance, tile, scratch, places)


@kernel
def replay_ids(ids, ends, parts, rows, active_set, value, agent, counts):
    """Look the features of every decision up and, as `parts` says, count them, learn from them."""
    rows, active_set, value = Rows(*rows), Active(*active_set), Value(*value)
    agent, counts = sarsa.Agent(*agent), Counts(*counts)
    first = 0
    for end in ends:
        see(ids[first:end], rows, active_set)
        first = end
        if parts & DENSITY:
            density.observe(rows.size[0], sarsa.CERTAIN, active_set, counts)
        if parts & VALUE:
            sarsa.go_on(0.0, 0.01, active_set, value, agent)
