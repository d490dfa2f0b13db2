"""From a screen to the places of its blobs: connected components of one colour, by union-find.

A span that is linked to no span above starts a blob; any other joins the blob of the span that its
first link leads to. Each further link merges two blobs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.bands import (
    LINKS_PER_PIXEL,
    Bands,
    find_bands,
    new_bands,
    update_spans,
)
from phieb.kernels.blob_prost.places import COLOURS, add_colour
from phieb.kernels.blob_prost.spans import colour_of, left_of, right_of
from phieb.kernels.numba_support.bits import ONE, ZERO, lowest_bit
from phieb.kernels.numba_support.jit import inlined, inner, kernel
from phieb.kernels.numba_support.memory import LINE, prefetch

# A box is eight numbers of `boxes`, the last two unused: its sides, all inclusive, its colour, and
# the index of its parent in the union-find forest. In the end a root is its blob's bounding box.
TOP, BOTTOM, LEFT, RIGHT, COLOUR, PARENT = range(6)
BOX = 8
PREFETCH_AHEAD = 4  # bands


class Scratch(NamedTuple):
    """Scratch memory for one screen, and what is kept of the previous screen."""

    boxes: NDArray[np.uint32]  # (8 · pixels,): in the worst case every pixel is a blob
    blobs: NDArray[np.uint32]  # (span,): index of its box
    marks: NDArray[np.int64]  # (colour, row of tiles): columns as bits, all 0 between calls
    present: NDArray[np.uint64]  # (2,): the colours of the screen as bits, all 0 between calls
    bands: Bands


def new_scratch(height: int, width: int, num_rows: int) -> Scratch:
    """Scratch memory for screens of this size, with `num_rows` rows of tiles."""
    return Scratch(
        np.zeros(height * width * BOX, np.uint32),
        np.zeros(height * width, np.uint32),
        np.zeros((COLOURS, num_rows), np.int64),
        np.zeros(COLOURS // 64, np.uint64),
        new_bands(height, width),
    )


@inlined
def root(boxes, box):
    """The root of a box's tree, halving the path on the way."""
    while boxes[box + PARENT] != box:
        parent = np.int64(boxes[box + PARENT])
        boxes[box + PARENT] = boxes[parent + PARENT]
        box = np.int64(boxes[parent + PARENT])
    return box


@inlined
def join(boxes, one, two):
    """Merge two blobs; the earlier root stays the root."""
    if one != two:
        one, two = root(boxes, one), root(boxes, two)
        boxes[max(one, two) + PARENT] = min(one, two)


@inlined
def add_spans(spans, ups, blobs, extent, rows, boxes, boxes_end):
    """Add the spans of a band to boxes; returns the new end of `boxes`.

    `extent` is the half-open range of the band's spans; `rows` are its top and bottom row.
    """
    (first, end), (top, bottom) = extent, rows
    for place in range(first, end):
        span, up = spans[place], np.int64(ups[place])
        if up == place:
            box = boxes_end
            boxes_end += BOX
            boxes[box + TOP] = top
            boxes[box + LEFT] = left_of(span)
            boxes[box + RIGHT] = right_of(span)
            boxes[box + COLOUR] = colour_of(span)
            boxes[box + PARENT] = box
        else:
            box = np.int64(blobs[up])
            if left_of(span) < boxes[box + LEFT]:
                boxes[box + LEFT] = left_of(span)
            if right_of(span) > boxes[box + RIGHT]:
                boxes[box + RIGHT] = right_of(span)
        boxes[box + BOTTOM] = bottom  # bands come from top to bottom
        blobs[place] = box
    return boxes_end


@inlined
def prefetch_spans(spans, ups, blobs, first):
    """Prefetch the spans that a band of ordinary length has."""
    prefetch(spans, first, 0)
    prefetch(spans, first, LINE)
    prefetch(ups, first, 0)
    prefetch(blobs, first, 0)


@inner
def find_boxes(bands, num_bands, width, blobs, boxes):
    """Find the box of every blob, at its root; returns the end of `boxes`, roots or not."""
    tops, num_spans, spans, ups = bands.tops, bands.num_spans, bands.spans, bands.ups
    num_links, links = bands.num_links, bands.links
    boxes_end = 0
    for band in range(num_bands):
        top, below = np.int64(tops[band]), np.int64(tops[band + 1])
        ahead = np.int64(tops[min(band + PREFETCH_AHEAD, num_bands - 1)])
        prefetch_spans(spans, ups, blobs, ahead * width)
        first = top * width
        end = first + np.int64(num_spans[top])
        extent, rows = (first, end), (top, below - 1)
        boxes_end = add_spans(spans, ups, blobs, extent, rows, boxes, boxes_end)
        first_link = first * LINKS_PER_PIXEL
        for k in range(first_link, first_link + np.int64(num_links[top]), 2):
            join(boxes, np.int64(blobs[links[k]]), np.int64(blobs[links[k + 1]]))
    for box in range(boxes_end - BOX, -1, -BOX):
        parent = np.int64(boxes[box + PARENT])
        if parent != box:  # earlier, so its top is no lower
            boxes[parent + BOTTOM] = max(boxes[parent + BOTTOM], boxes[box + BOTTOM])
            boxes[parent + LEFT] = min(boxes[parent + LEFT], boxes[box + LEFT])
            boxes[parent + RIGHT] = max(boxes[parent + RIGHT], boxes[box + RIGHT])
    return boxes_end


@inner
def mark_tiles(boxes, boxes_end, tile_height, tile_width, marks, present):
    """Mark the tile of the centre of each blob's box, and the colours that are present."""
    for box in range(0, boxes_end, BOX):
        if boxes[box + PARENT] == box:
            row = np.int64(boxes[box + TOP] + boxes[box + BOTTOM]) // 2 // tile_height
            column = np.int64(boxes[box + LEFT] + boxes[box + RIGHT]) // 2 // tile_width
            colour = np.int64(boxes[box + COLOUR])
            marks[colour, row] |= np.int64(1) << column
            present[colour >> 6] |= ONE << np.uint64(colour & 63)


@kernel
def find_blobs(screen, tolerance, tile, scratch, places):
    """Fill `places` with the blobs of a screen; returns the number of boxes, roots or not."""
    words = screen.view(np.uint64)  # eight pixels a word
    boxes, marks, present = scratch.boxes, scratch.marks, scratch.present
    bands = scratch.bands
    num_bands = find_bands(words, bands.words, bands.is_top, bands.changed, bands.tops)
    update_spans(screen, words, num_bands, tolerance, bands)
    boxes_end = find_boxes(bands, num_bands, screen.shape[1], scratch.blobs, boxes)
    mark_tiles(boxes, boxes_end, tile[0], tile[1], marks, present)
    places[0, 0] = 0
    for k in range(present.size):
        colours, present[k] = present[k], ZERO
        while colours != ZERO:
            colour = 64 * k + lowest_bit(colours)
            add_colour(places, colour, marks[colour])
            colours &= colours - ONE
    return boxes_end // BOX
