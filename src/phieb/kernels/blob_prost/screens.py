"""From a screen to feature ids in one call.

What is held is the settings of the map, and what `ids_of_places` takes; the ids come last.
"""

from phieb.kernels.blob_prost.blobs import Scratch, find_blobs
from phieb.kernels.blob_prost.pairs import Layout, write_ids
from phieb.kernels.blob_prost.places import place_colours
from phieb.kernels.numba_support.clock import BLOBS, PAIRS, end_lap
from phieb.kernels.numba_support.jit import kernel


@kernel
def ids_of_places(then, now, layout, *memory):
    """The ids of the features of colours in places; returns how many."""
    return write_ids(then, now, Layout(*layout), *memory)


@kernel
def blob_ids(screen, held, clock=None):
    """Blobs, their places, the ids of their features; returns how many ids."""
    (tolerance, tile, scratch), memory = held.tables
    find_blobs(screen, tolerance, tile, Scratch(*scratch), memory[1])
    end_lap(clock, BLOBS)
    count = ids_of_places(*memory)
    end_lap(clock, PAIRS)
    return count


@kernel
def colour_ids(screen, held):
    """Colours that differ from the background, their places, the ids; returns how many ids."""
    (background, tile, marks), memory = held.tables
    place_colours(screen, background, tile[0], tile[1], marks, memory[1])
    return ids_of_places(*memory)


@kernel
def ids_in(held):
    """Where the ids are written."""
    return held.tables[1][-1]
