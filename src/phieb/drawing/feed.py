"""The list of novel features in words next to the screen; each stays long enough to be read."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from phieb.drawing.lit_screen import colour_of
from phieb.drawing.sighting import Novel, Sighting, blobs_of, level
from phieb.drawing.text import BACK, PANEL, QUIET, font, paragraph, write

NEW = 0.5  # lowest level of novelty of an entry: on in at most √t of t observations
PAUSE = 8  # minimum number of decisions between new entries
HIGH, INDENT, SIZE = 96, 44, 22  # height and indent of an entry, and its font size, in pixels
RADIUS = 14  # of the circle around a number, in pixels
LARGE = 0.2  # blobs larger than this share of the screen, such as the background, get no number


class Entry(NamedTuple):
    """A feature in the list, and its level of novelty when it was added."""

    novel: Novel
    level: float
    since: int  # the decision at which it was added
    picture: Image.Image


class Feed:
    """A list of the features that were novel last; a new entry replaces the oldest.

    Args:
        features: the feature map.
        slots: the number of entries.
        width: the width of the picture, in pixels.
    """

    def __init__(self, features: Any, slots: int, width: int) -> None:
        self.features, self.width = features, width
        self.entries: list[Entry | None] = [None] * slots
        self._decision, self._last = 0, -PAUSE

    def add(self, sighting: Sighting) -> None:
        """Process one decision: add the most novel feature not listed yet, if novel enough."""
        self._decision += 1
        if self._decision - self._last < PAUSE:
            return
        named = {entry.novel.feature for entry in self.entries if entry is not None}
        for novel in sighting.novel:
            new = float(level(novel.seen, sighting.t))
            if new >= NEW and novel.feature not in named:
                self._place(novel, new)
                return

    def _place(self, novel: Novel, new: float) -> None:
        ages = [-1 if entry is None else entry.since for entry in self.entries]
        slot = int(np.argmin(ages))
        self._last = self._decision
        drawn = _entry(slot + 1, novel, new, self.width)
        self.entries[slot] = Entry(novel, new, self._decision, drawn)

    def drawn(self) -> Image.Image:
        """A picture of the entries; the newest is marked with a bar for a moment."""
        picture = Image.new("RGB", (self.width, HIGH * len(self.entries)), BACK)
        for slot, entry in enumerate(self.entries):
            if entry is not None:
                picture.paste(entry.picture, (0, slot * HIGH))
                if self._decision - entry.since < PAUSE:
                    bar = (0, slot * HIGH + 2 * RADIUS + 10, 5, (slot + 1) * HIGH - 12)
                    ImageDraw.Draw(picture).rectangle(bar, colour_of(entry.level))
        return picture

    def mark(
        self,
        picture: Image.Image,
        screen: tuple[int, int],
        boxes: NDArray[np.int64],
        active: NDArray[np.int64],
    ) -> None:
        """Draw the numbers of active entries at their blobs, and a line between those of a pair."""
        for slot, entry in enumerate(self.entries):
            if entry is not None and entry.novel.feature in active:
                there = boxes[list(blobs_of(self.features, entry.novel.feature, boxes))]
                _mark(picture, screen, there, slot + 1, entry.level)


def number(picture: Image.Image, at: tuple[float, float], shown: int, new: float) -> None:
    """Draw a number in a circle, in the colour of a level of novelty."""
    x, y = at
    draw = ImageDraw.Draw(picture)
    draw.ellipse((x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS), colour_of(new), BACK, 2)
    draw.text((x, y), str(shown), BACK, font(20, bold=True), anchor="mm")


def _entry(shown: int, novel: Novel, new: float, width: int) -> Image.Image:
    picture = Image.new("RGB", (width, HIGH), BACK)
    words = novel.words or f"feature {novel.feature:,}"
    picture.paste(paragraph(words, SIZE, width - INDENT), (INDENT, 0))
    write(picture, (INDENT, 78), novel.times, 20, ink=QUIET)
    number(picture, (RADIUS + 2, RADIUS + 2), shown, new)
    ImageDraw.Draw(picture).line((INDENT, HIGH - 4, width, HIGH - 4), PANEL)
    return picture


def _mark(
    picture: Image.Image,
    screen: tuple[int, int],
    boxes: NDArray[np.int64],
    shown: int,
    new: float,
) -> None:
    across, down = picture.width / screen[1], picture.height / screen[0]
    areas = (boxes[:, 2] - boxes[:, 1] + 1) * (boxes[:, 4] - boxes[:, 3] + 1)
    boxes = boxes[areas <= LARGE * screen[0] * screen[1]]
    if not len(boxes):
        return
    centres = [
        ((left + right + 1) / 2 * across, (top + bottom + 1) / 2 * down)
        for _, top, bottom, left, right in boxes.tolist()
    ]
    if len(centres) == 2:
        ImageDraw.Draw(picture).line(centres, colour_of(new), width=2)
    _, top, _, left, _ = boxes[0].tolist()
    x = min(max(left * across - RADIUS, RADIUS), picture.width - RADIUS)
    y = min(max(top * down - RADIUS, RADIUS), picture.height - RADIUS)
    number(picture, (x, y), shown, new)
