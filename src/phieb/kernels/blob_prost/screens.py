"""From a screen to feature ids in one call.

A feature map holds (`phieb.kernels.numba_support.held`) a `Screens`: its settings, and the tables
that the ids of a screen are computed from and written to.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.blobs import Scratch, find_blobs
from phieb.kernels.blob_prost.pairs import IdTables, write_ids
from phieb.kernels.blob_prost.places import place_colours
from phieb.kernels.numba_support.clock import BLOBS, PAIRS, end_lap
from phieb.kernels.numba_support.jit import inner, kernel, merged


class BlobSettings(NamedTuple):
    """How blobs are found."""

    tolerance: int  # pixels
    tile: tuple[int, int]  # height and width, pixels
    scratch: Scratch


class ColourSettings(NamedTuple):
    """How colours that differ from the background are found."""

    background: NDArray[np.uint8]  # (height, width)
    tile: tuple[int, int]  # height and width, pixels
    marks: NDArray[np.int64]  # scratch (colour, row of tiles): columns as bits, all 0 between calls


class Screens(NamedTuple):
    """What a feature map hands to the kernels."""

    settings: BlobSettings | ColourSettings
    tables: IdTables


@merged
def timed_ids(tables, clock):
    """`write_ids`, timed; the lap before it was for the places of the colours."""
    end_lap(clock, BLOBS)
    count = write_ids(tables)
    end_lap(clock, PAIRS)
    return count


@kernel
def blob_ids(screen, held, clock):
    """Write the ids of a screen's blob features; returns how many there are."""
    settings, tables = held.tables
    find_blobs(screen, settings.tolerance, settings.tile, settings.scratch, tables.now)
    return timed_ids(tables, clock)


@kernel
def colour_ids(screen, held, clock):
    """Write the ids of the colours that differ from the background; returns how many there are."""
    settings, tables = held.tables
    place_colours(screen, settings.background, settings.tile, settings.marks, tables.now)
    return timed_ids(tables, clock)


@inner
def id_buffer(held):
    """The array that the ids are written to."""
    return held.tables.tables.ids
