"""Play: a film of one episode, with the score and where the agent is surprised."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from phieb.evaluation.frozen import Frozen, decisions
from phieb.features import BlobProst
from phieb.files import writing
from phieb.novelty import PhiBonus, VisitDensity
from phieb.palette import ntsc
from phieb.training.given import NOTHING, Given
from phieb.training.run_folder import Run, RunError

STRETCH = (4, 2)  # a pixel of the game is wider than high
CURVE, HEAD, WIDTH = 120, 28, 640  # pixels
PER_SECOND = 24  # decisions: twice the game's own speed
NEWEST = 3  # so many blobs are framed
NO_BOXES = np.zeros((0, 5), np.int64)
SPACE, BASIC = 1, 0  # kinds of features, as `BlobProst.encode` has them


class Film(NamedTuple):
    """What came of an episode."""

    score: float
    frames: int


class Moment(NamedTuple):
    """One decision of the episode: what is to be seen in a picture."""

    picture: NDArray[np.uint8]  # in colours, 640 pixels wide
    score: float
    bonus: float
    boxes: NDArray[np.int64]  # (colour, top, bottom, left, right) of the newest blobs


def play(
    run: Run,
    out: Path,
    *,
    checkpoint: int | None = None,
    episode: int = 0,
    novelty: bool = False,
    advance: Callable[[int, int], None] = lambda done, total: None,
    warn: Callable[[str], None] = print,
    given: Given = NOTHING,
) -> Film:
    """Film an episode of a checkpoint of a run: no learning, no counting, ε = 0.01.

    Args:
        run: the run.
        out: where to save the film, an .mp4 file.
        checkpoint: its frames; by default the newest that is whole.
        episode: which; the same as in an evaluation.
        novelty: frame the blobs whose features were seen least often in training.
        advance: told how many pictures are drawn, and of how many.
        warn: told of damaged checkpoints.
        given: parts of the run that were given from Python.
    """
    frozen = Frozen.of_run(run, checkpoint, warn, given)
    features, bonus = frozen.training.learner.features, frozen.training.learner.bonus
    if novelty and not (isinstance(bonus, PhiBonus) and isinstance(features, BlobProst)):
        raise RunError(f"{run.path}: --novelty needs the bonus phi and Blob-PROST features")
    moments, frames = [], 0
    density = bonus.density if isinstance(bonus, PhiBonus) else None
    seen = Seen(density) if isinstance(density, VisitDensity) and novelty else None
    for decision in decisions(frozen, "behaviour", episode, pictures=True):
        frames = decision.frames
        screen, boxes = decision.observation, NO_BOXES
        picture = _screen(screen) if frozen.config.is_atari else _scaled(decision.picture)
        if picture is None:
            said = 'its environment renders no pictures (render_mode "rgb_array")'
            raise RunError(f"{run.path}: no film: {said}")
        if seen is not None and isinstance(features, BlobProst):
            boxes = newest_blobs(features, seen, screen)
        moments.append(Moment(picture, decision.score, frozen.bonus(decision.active), boxes))
    has_curve = any(moment.bonus > 0 for moment in moments)
    pictures, total = _pictures(moments, has_curve), len(moments)
    writing.write(out, film_of(pictures, PER_SECOND, lambda done: advance(done, total)))
    return Film(moments[-1].score, frames)


class Seen:
    """How often each feature was on in training."""

    def __init__(self, density: VisitDensity) -> None:
        state = density.state()
        order = np.argsort(state["ids"])
        self._ids, self._counts = state["ids"][order], state["counts"][order]

    def times(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of each of these features; 0 for one that never was."""
        place = np.minimum(np.searchsorted(self._ids, ids), self._ids.size - 1)
        return np.where(self._ids[place] == ids, self._counts[place], 0)


def newest_blobs(features: BlobProst, seen: Seen, screen: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The blobs that are in the features seen least often: alone in their tile, or in a pair."""
    blobs = features.blobs(screen).astype(np.int64)
    tiles = np.stack([(blobs[:, 1] + blobs[:, 2]) // 2, (blobs[:, 3] + blobs[:, 4]) // 2], 1)
    tiles //= features.tile
    one, other = np.triu_indices(len(blobs))
    pairs = _pairs(blobs[one, 0], blobs[other, 0], tiles[one] - tiles[other])
    alone = np.full_like(blobs, BASIC)
    alone[:, 1], alone[:, 2], alone[:, 3:] = blobs[:, 0], -1, tiles
    least = seen.times(features.encode(alone))
    counts = seen.times(features.encode(pairs))
    np.minimum.at(least, one, counts)
    np.minimum.at(least, other, counts)
    return blobs[np.argsort(least, kind="stable")[:NEWEST]]


def _pairs(
    c1: NDArray[np.int64], c2: NDArray[np.int64], offsets: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Pairs in space as decoded rows: the smaller colour first, of one colour half the offsets."""
    upper = (offsets[:, 0] > 0) | ((offsets[:, 0] == 0) & (offsets[:, 1] >= 0))
    turn = (c1 > c2) | ((c1 == c2) & ~upper)
    first, second = np.where(turn, c2, c1), np.where(turn, c1, c2)
    offsets = np.where(turn[:, None], -offsets, offsets)
    return np.column_stack([np.full_like(c1, SPACE), first, second, offsets])


def _screen(screen: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An Atari screen in colours."""
    colours: NDArray[np.uint8] = ntsc()[screen >> 1]
    return colours.repeat(STRETCH[1], 0).repeat(STRETCH[0], 1)[:, :WIDTH]


def _scaled(picture: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
    """What an environment has rendered, as wide as the film."""
    if picture is None:
        return None
    height = max(round(picture.shape[0] * WIDTH / picture.shape[1]), 1)
    return np.asarray(Image.fromarray(picture).resize((WIDTH, height), Image.Resampling.NEAREST))


def _pictures(moments: list[Moment], with_curve: bool) -> Iterator[NDArray[np.uint8]]:
    """The screen, the score above it and the bonus under it."""
    height = moments[0].picture.shape[0]
    curve = _curve([moment.bonus for moment in moments]) if with_curve else None
    font = ImageFont.load_default(size=16)
    for number, moment in enumerate(moments):
        total = HEAD + height + (CURVE if curve is not None else 0)
        picture = Image.new("RGB", (WIDTH, total + total % 2))
        picture.paste(Image.fromarray(moment.picture), (0, HEAD))
        draw = ImageDraw.Draw(picture)
        text = f"score {moment.score:,.0f}"
        if curve is not None:
            picture.paste(curve, (0, HEAD + height))
            at = number * (WIDTH - 1) // max(len(moments) - 1, 1)
            draw.line((at, HEAD + height, at, total), fill="white")
            text += f"    bonus {moment.bonus:.4f}"
        draw.text((8, 4), text, fill="white", font=font)
        for _, top, bottom, left, right in moment.boxes:
            x, y = STRETCH
            corner = (
                left * x - 3,
                HEAD + top * y - 3,
                right * x + x + 2,
                HEAD + bottom * y + y + 2,
            )
            draw.rectangle(tuple(int(c) for c in corner), outline="yellow", width=2)
        yield np.asarray(picture)


def _curve(bonuses: list[float]) -> Image.Image:
    """The bonus of every decision from left to right; what is above the scale is cut off."""
    picture = Image.new("RGB", (WIDTH, CURVE), (24, 24, 32))
    draw, largest = ImageDraw.Draw(picture), max(float(np.quantile(bonuses, 0.995)), 1e-12)
    room = CURVE - 22
    for number, bonus in enumerate(bonuses):
        at = number * (WIDTH - 1) // max(len(bonuses) - 1, 1)
        high = min(bonus / largest, 1.0) * room
        draw.line((at, CURVE - 1, at, CURVE - 1 - high), fill=(90, 200, 120))
    font = ImageFont.load_default(size=12)
    draw.text((8, 3), f"bonus of each decision, up to {largest:.4f}", fill="white", font=font)
    return picture


def film_of(
    pictures: Iterator[NDArray[np.uint8]],
    per_second: int,
    advance: Callable[[int], None] = lambda done: None,
) -> bytes:
    """The bytes of an .mp4 file of pictures of one size, which is even.

    Args:
        pictures: one after another.
        per_second: how many are shown in a second.
        advance: told how many are drawn.
    """
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as film:
        stream: Any = film.add_stream("libx264", rate=per_second)
        stream.pix_fmt, stream.options = "yuv420p", {"preset": "veryfast"}
        for number, picture in enumerate(pictures, start=1):
            if number == 1:
                stream.height, stream.width = picture.shape[:2]
            film.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            advance(number)
        film.mux(stream.encode())
    return file.getvalue()
