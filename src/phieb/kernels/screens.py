"""From a screen to feature ids in one call.

Named tuples are made here, inside: to hand one over from Python takes five times as long as a
plain tuple with the same parts.
"""

from phieb.kernels.blobs import Scratch, find_blobs
from phieb.kernels.jit import kernel
from phieb.kernels.pairs import Layout, write_ids
from phieb.kernels.places import place_colours


@kernel
def ids_of_places(then, now, layout, *memory):
    """The ids of the features of colours in places; returns how many."""
    return write_ids(then, now, Layout(*layout), *memory)


@kernel
def blob_ids(screen, tolerance, tile, scratch, then, now, layout, *memory):
    """Blobs, their places, the ids of their features; returns how many ids."""
    find_blobs(screen, tolerance, tile, Scratch(*scratch), now)
    return write_ids(then, now, Layout(*layout), *memory)


@kernel
def colour_ids(screen, background, tile, marks, then, now, layout, *memory):
    """Colours that differ from the background, their places, the ids; returns how many ids."""
    place_colours(screen, background, tile[0], tile[1], marks, now)
    return write_ids(then, now, Layout(*layout), *memory)
