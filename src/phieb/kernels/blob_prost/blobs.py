"""From a screen to where its blobs are: connected components of one colour, by union-find.

A span begins a blob, unless it is linked to a span above: then it belongs to the blob of that one.
Its other links make two blobs one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blob_prost.bands import (
    LINK_ROOM,
    Bands,
    find_bands,
    new_bands,
    update_spans,
)
from phieb.kernels.blob_prost.places import COLOURS, add_colour
from phieb.kernels.blob_prost.spans import colour_of, left_of, right_of
from phieb.kernels.numba_support.bits import ONE, ZERO, lowest_bit
from phieb.kernels.numba_support.jit import inlined, kernel
from phieb.kernels.numba_support.memory import LINE, prefetch

# A box in `boxes` is six numbers and two that are free: its sides, all inclusive, its colour, and
# where its parent in the forest is. That of a root is in the end the box of its blob.
TOP, BOTTOM, LEFT, RIGHT, COLOUR, PARENT = range(6)
BOX = 8
AHEAD = 4  # bands: how early to ask for the spans of one


class Scratch(NamedTuple):
    """Room to find the blobs of one screen in, and what is kept of the screen before."""

    boxes: NDArray[np.uint32]  # for the worst screen: every pixel a blob
    blobs: NDArray[np.uint32]  # (span,): where its box is
    marks: NDArray[np.int64]  # (colour, row of tiles): columns as bits, 0 before and after
    present: NDArray[np.uint64]  # colours as bits, 0 before and after
    bands: tuple[NDArray[Any], ...]  # a plain tuple of `Bands`


def new_scratch(height: int, width: int, num_rows: int) -> Scratch:
    """Room for screens of this size, with `num_rows` rows of tiles."""
    return Scratch(
        np.zeros(height * width * BOX, np.uint32),
        np.zeros(height * width, np.uint32),
        np.zeros((COLOURS, num_rows), np.int64),
        np.zeros(COLOURS // 64, np.uint64),
        tuple(new_bands(height, width)),
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
    """Make two blobs one; the earlier root stays root."""
    if one != two:
        one, two = root(boxes, one), root(boxes, two)
        boxes[max(one, two) + PARENT] = min(one, two)


@inlined
def add_spans(spans, ups, blobs, extent, rows, boxes, boxes_end):
    """Put the spans of a band in boxes; returns where the boxes end now.

    `extent` is the index of the band's first span and that behind its last; `rows` are its top and
    bottom row.
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
        boxes[box + BOTTOM] = bottom  # of all bands so far this is the lowest
        blobs[place] = box
    return boxes_end


@inlined
def fetch_spans(spans, ups, blobs, first):
    """Ask for what most bands have."""
    prefetch(spans, first, 0)
    prefetch(spans, first, LINE)
    prefetch(ups, first, 0)
    prefetch(blobs, first, 0)


@kernel
def find_boxes(bands, num_bands, width, blobs, boxes):
    """The box of every blob, at its root; returns where the boxes end, roots or not."""
    tops, num_spans, spans, ups = bands.tops, bands.num_spans, bands.spans, bands.ups
    num_links, links = bands.num_links, bands.links
    boxes_end = 0
    for band in range(num_bands):
        top, below = np.int64(tops[band]), np.int64(tops[band + 1])
        fetch_spans(spans, ups, blobs, np.int64(tops[min(band + AHEAD, num_bands - 1)]) * width)
        first = top * width
        end = first + np.int64(num_spans[top])
        extent, rows = (first, end), (top, below - 1)
        boxes_end = add_spans(spans, ups, blobs, extent, rows, boxes, boxes_end)
        first_link = first * LINK_ROOM
        for k in range(first_link, first_link + np.int64(num_links[top]), 2):
            join(boxes, np.int64(blobs[links[k]]), np.int64(blobs[links[k + 1]]))
    for box in range(boxes_end - BOX, -1, -BOX):
        parent = np.int64(boxes[box + PARENT])
        if parent != box:  # an earlier one, and so one that begins no lower
            boxes[parent + BOTTOM] = max(boxes[parent + BOTTOM], boxes[box + BOTTOM])
            boxes[parent + LEFT] = min(boxes[parent + LEFT], boxes[box + LEFT])
            boxes[parent + RIGHT] = max(boxes[parent + RIGHT], boxes[box + RIGHT])
    return boxes_end


@kernel
def mark_tiles(boxes, boxes_end, tile_height, tile_width, marks, present):
    """Mark the tiles of the centres of the boxes of all blobs, and which colours there are."""
    for box in range(0, boxes_end, BOX):
        if boxes[box + PARENT] == box:
            row = np.int64(boxes[box + TOP] + boxes[box + BOTTOM]) // 2 // tile_height
            column = np.int64(boxes[box + LEFT] + boxes[box + RIGHT]) // 2 // tile_width
            colour = np.int64(boxes[box + COLOUR])
            marks[colour, row] |= np.int64(1) << column
            present[colour >> 6] |= ONE << np.uint64(colour & 63)


@kernel
def find_blobs(screen, tolerance, tile, scratch, places):
    """From a screen to the places of its blobs; returns how many boxes there are, roots or not."""
    words = screen.view(np.uint64)  # eight pixels a word
    boxes, marks, present = scratch.boxes, scratch.marks, scratch.present
    bands = Bands(*scratch.bands)
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
