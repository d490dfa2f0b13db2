"""The frames of a video: the screen, its novel blobs and features, score, bonus and rooms."""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from phieb.drawing.feed import Feed
from phieb.drawing.lit_screen import SIZE, colour_of, lit_screen
from phieb.drawing.room_map import room_map
from phieb.drawing.sighting import Sighting
from phieb.drawing.strip import Strip
from phieb.drawing.text import BACK, QUIET, fitted, font, paragraph, write

WHOLE = (1280, 720)
LEFT, RIGHT, COLUMN, EDGE = 24, 696, 560, 1256  # x of both columns; width and end of the right one
TOP, UNDER, HEADING, ENTRIES = 64, 560, 158, 178  # y of screen, strips, heading and list
AMBER, SKY, GREEN = (230, 159, 0), (86, 180, 233), (0, 190, 140)  # Okabe & Ito
MAP, KEY = (COLUMN, 128), 110  # size of the map of rooms; width of the colour key
NOTHING_COUNTED = "This agent has no bonus that counts features: no feature is new to it."


class Title(NamedTuple):
    """What a video shows.

    Attributes:
        unit: what frames are called.
        uncounted: what is said in the place of new features where none are counted.
    """

    game: str
    agent: str
    unit: str = "frames"
    uncounted: str = NOTHING_COUNTED


class Now(NamedTuple):
    """The situation at one decision.

    Attributes:
        observation: the agent's observation; palette bytes in Atari games.
        active: the ids of its active features.
        score: the score of the episode so far.
        frames: the frames of the episode so far.
        rendered: the RGB array rendered by the environment; None for Atari games.
        sighting: what is novel; None if the agent does not count features.
        novelty: pseudocount and bonus; None for an agent without a bonus.
        room: the current room of Montezuma's Revenge; None in other games.
    """

    observation: Any
    active: NDArray[np.int64]
    score: float
    frames: int
    rendered: NDArray[np.uint8] | None = None
    sighting: Sighting | None = None
    novelty: tuple[float, float] | None = None
    room: int | None = None


class Playing:
    """Draws the frames of an episode, one per decision.

    Args:
        title: what the video shows.
        features: the feature map.
        known: the rooms visited in training.
    """

    def __init__(self, title: Title, features: Any, known: Collection[int] = ()) -> None:
        self._title, self._known = title, known
        self._features, self._feed = features, Feed(features, 5, COLUMN)
        high = (WHOLE[1] - UNDER - 24) // 2 - 4
        self._score = Strip("score", GREEN, (SIZE[0], 2 * high + 8))
        self._bonus = Strip("bonus", AMBER, (SIZE[0], high))
        self._count = Strip("pseudocount", SKY, (SIZE[0], high), logarithmic=True)
        self._seen = set[int]()
        self._ground: Image.Image | None = None

    def drawn(self, now: Now) -> NDArray[np.uint8]:
        """The frame for the next decision, (720, 1280, 3)."""
        if self._ground is None:
            self._ground = self._made_ground(now)
        picture = self._ground.copy()
        picture.paste(self._screen(now), (LEFT, TOP))
        self._draw_strips(picture, now)
        write(picture, (RIGHT, 106), f"{now.score:,.6g}", 60, bold=True)
        write(picture, (EDGE, 106), f"{now.frames:,}", 40, right=True)
        if now.sighting is not None:
            picture.paste(self._feed.drawn(), (RIGHT, ENTRIES))
        if now.room is not None:
            self._seen.add(now.room)
            drawn = room_map(MAP, now.room, self._seen, self._known)
            picture.paste(drawn, (RIGHT, WHOLE[1] - 20 - MAP[1]))
        return np.asarray(picture)

    def _made_ground(self, now: Now) -> Image.Image:
        """The parts of the frame that do not change."""
        picture = Image.new("RGB", WHOLE, BACK)
        self._write_title(picture)
        write(picture, (RIGHT, 44), "score", 22, ink=QUIET)
        write(picture, (EDGE, 44), self._title.unit, 22, ink=QUIET, right=True)
        if now.room is not None:
            self._feed = Feed(self._features, 4, COLUMN)
        if now.sighting is None:
            picture.paste(paragraph(self._title.uncounted, 22, COLUMN), (RIGHT, ENTRIES))
            return picture
        write(picture, (RIGHT, HEADING), "New to the agent", 22, bold=True)
        write(picture, (EDGE, HEADING), "never before", 18, ink=QUIET, right=True)
        for x in range(KEY):
            at = EDGE - 128 - KEY + x
            line = (at, HEADING - 14, at, HEADING)
            ImageDraw.Draw(picture).line(line, colour_of(x / (KEY - 1)))
        write(picture, (EDGE - 138 - KEY, HEADING), "always", 18, ink=QUIET, right=True)
        return picture

    def _write_title(self, picture: Image.Image) -> None:
        """The game, with the agent beside it or, where there is no room, below it."""
        game, agent = self._title.game, self._title.agent
        begin = LEFT + round(font(30, bold=True).getlength(game)) + 20
        if begin + font(22).getlength(agent) <= LEFT + SIZE[0]:
            write(picture, (LEFT, 46), game, 30, bold=True)
            write(picture, (begin, 46), agent, 22, ink=QUIET)
        else:
            write(picture, (LEFT, 33), fitted(game, 26, SIZE[0], bold=True), 26, bold=True)
            write(picture, (LEFT, 56), fitted(agent, 17, SIZE[0]), 17, ink=QUIET)

    def _screen(self, now: Now) -> Image.Image:
        """The screen with novel blobs highlighted and numbered, or the rendered RGB array."""
        if now.sighting is not None:
            self._feed.add(now.sighting)
        if now.rendered is not None:
            return fitting(now.rendered, SIZE)
        picture = lit_screen(now.observation, now.sighting)
        if now.sighting is not None:
            boxes = now.sighting.boxes
            self._feed.mark(picture, now.observation.shape, boxes, now.active)
        return picture

    def _draw_strips(self, picture: Image.Image, now: Now) -> None:
        if now.novelty is None:
            self._score.add(now.score)
            picture.paste(self._score.drawn(), (LEFT, UNDER))
            return
        for strip, value in zip((self._count, self._bonus), now.novelty, strict=True):
            strip.add(value)
        picture.paste(self._bonus.drawn(), (LEFT, UNDER))
        picture.paste(self._count.drawn(), (LEFT, UNDER + self._bonus.size[1] + 8))


def fitting(rendered: NDArray[np.uint8], size: tuple[int, int]) -> Image.Image:
    """A rendered picture scaled to fit into `size` and centred; small ones keep sharp pixels."""
    drawn = Image.fromarray(rendered)
    share = min(size[0] / drawn.width, size[1] / drawn.height)
    wanted = max(round(drawn.width * share), 1), max(round(drawn.height * share), 1)
    how = Image.Resampling.NEAREST if share >= 2 else Image.Resampling.LANCZOS
    whole = Image.new("RGB", size)
    middle = (size[0] - wanted[0]) // 2, (size[1] - wanted[1]) // 2
    whole.paste(drawn.resize(wanted, how), middle)
    return whole
