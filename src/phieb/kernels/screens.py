"""From a screen to feature ids in one call."""

from phieb.kernels.blobs import find_blobs
from phieb.kernels.jit import kernel
from phieb.kernels.pairs import write_ids
from phieb.kernels.places import place_colours


@kernel
def blob_ids(screen, tolerance, tile, scratch, then, now, *memory):
    """Blobs, their places, the ids of their features; returns how many ids."""
    find_blobs(screen, tolerance, tile, scratch, then, now)
    return write_ids(then, now, *memory)


@kernel
def colour_ids(screen, background, tile, marks, then, now, *memory):
    """Colours that differ from the background, their places, the ids; returns how many ids."""
    place_colours(screen, background, tile[0], tile[1], marks, now)
    return write_ids(then, now, *memory)
