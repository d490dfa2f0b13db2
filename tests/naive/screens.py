"""Features of Atari screens from their definitions: blobs, colours, PROST pairs."""

from collections import defaultdict
from collections.abc import Sequence

Pixel = tuple[int, int]  # row, column
Box = tuple[int, int, int, int, int]  # colour, top, bottom, left, right
Place = tuple[int, int, int]  # colour, tile row, tile column
Row = tuple[int, int, int, int, int]  # kind, colours, row and column or their differences


def blob_boxes(screen: Sequence[Sequence[int]], tolerance: int) -> list[Box]:
    """(colour, top, bottom, left, right) of every blob, by flood fill over sets of pixels."""
    pixels: dict[int, set[Pixel]] = defaultdict(set)
    for y, row in enumerate(screen):
        for x, byte in enumerate(row):
            pixels[byte >> 1].add((y, x))
    reach = range(-tolerance, tolerance + 1)
    boxes = []
    for colour, unseen in pixels.items():
        while unseen:
            todo = [unseen.pop()]
            blob = list(todo)
            while todo:
                y, x = todo.pop()
                near = {(y + dy, x + dx) for dy in reach for dx in reach} & unseen
                unseen -= near
                todo += near
                blob += near
            ys, xs = [y for y, _ in blob], [x for _, x in blob]
            boxes.append((colour, min(ys), max(ys), min(xs), max(xs)))
    return boxes


def blob_places(screen: Sequence[Sequence[int]], tile: Pixel, tolerance: int) -> set[Place]:
    """The tiles of the centres of the blobs' boxes."""
    return {
        (colour, (top + bottom) // 2 // tile[0], (left + right) // 2 // tile[1])
        for colour, top, bottom, left, right in blob_boxes(screen, tolerance)
    }


def colour_places(
    screen: Sequence[Sequence[int]], background: Sequence[Sequence[int]], tile: Pixel
) -> set[Place]:
    """The tiles that contain a pixel that differs from the background."""
    return {
        (byte >> 1, y // tile[0], x // tile[1])
        for y, row in enumerate(screen)
        for x, byte in enumerate(row)
        if byte >> 1 != background[y][x] >> 1
    }


def prost_rows(then: set[Place], now: set[Place]) -> tuple[set[Row], set[Row], set[Row]]:
    """Basic features, space pairs and time pairs as decoded rows, straight from the definition."""
    basic = {(0, c, -1, y, x) for c, y, x in now}
    space = set()
    for c1, y1, x1 in now:
        for c2, y2, x2 in now:
            dy, dx = y1 - y2, x1 - x2
            if c1 < c2 or (c1 == c2 and (dy > 0 or (dy == 0 and dx >= 0))):
                space.add((1, c1, c2, dy, dx))
    time = {(2, c1, c2, y1 - y2, x1 - x2) for c1, y1, x1 in then for c2, y2, x2 in now}
    return basic, space, time
