"""Play: a film of one episode, with what is new to the agent, in the picture and in words."""

import io
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import av
import numpy as np
from numpy.typing import NDArray

from phieb.drawing.playing import NOTHING_COUNTED, Playing, Title
from phieb.evaluation.frozen import Frozen, Moment, Player, decisions
from phieb.files import writing
from phieb.training.given import NOTHING, Given
from phieb.training.run_folder import Run, RunError
from phieb.worlds.games import title_of

PER_SECOND = 24  # decisions: twice the game's own speed
NAMED = 8  # new features of a screen that the words beside it choose from
NO_COUNTS = "An exported policy has no counts. The film of a run shows what is new to its agent."
RATE = 1_200_000  # bits a second at most: nine megabytes a minute


class Film(NamedTuple):
    """What came of an episode."""

    score: float
    frames: int


def play(
    run: Run,
    out: Path,
    *,
    checkpoint: int | None = None,
    episode: int = 0,
    advance: Callable[[int], None] = lambda done: None,
    warn: Callable[[str], None] = print,
    given: Given = NOTHING,
) -> Film:
    """Film an episode of a checkpoint of a run: no learning, no counting, ε = 0.01.

    In Atari games each blob is as bright as it is new. Features that were on in few observations of
    training are named beside the picture. Under it run the bonus and the pseudocount.

    Args:
        run: the run.
        out: where to save the film, an .mp4 file.
        checkpoint: its frames; by default the newest that is whole.
        episode: which; the same as in an evaluation.
        advance: told how many pictures are drawn.
        warn: told of damaged checkpoints.
        given: parts of the run that were given from Python.
    """
    frozen = Frozen.of_run(run, checkpoint, warn, given)
    return film_episode(frozen, out, "behaviour", episode, known_rooms(run, frozen), advance)


def film_episode(
    player: Player,
    out: Path,
    kind: str,
    episode: int = 0,
    known: Collection[int] = (),
    advance: Callable[[int], None] = lambda done: None,
) -> Film:
    """Film an episode of any frozen agent; the arguments are those of `play` and `pictures`."""
    last: list[Moment] = []
    shown = pictures(player, kind, episode, last, known)
    writing.write(out, film_of(shown, PER_SECOND, advance))
    return Film(last[0].score, last[0].frames)


def pictures(
    player: Player, kind: str, episode: int, last: list[Moment], known: Collection[int] = ()
) -> Iterator[NDArray[np.uint8]]:
    """The pictures of an episode, one for each decision.

    Args:
        player: the agent.
        kind: the value to act on.
        episode: its number.
        last: is given the last moment.
        known: rooms that were visited in training.
    """
    config = player.config
    agent = f"{player.label}, seed {config.seed}, after {_rounded(player.frames)} {config.unit}"
    said = NOTHING_COUNTED if isinstance(player, Frozen) else NO_COUNTS
    title = Title(title_of(config.game), agent, config.unit, said)
    playing = Playing(title, player.features, set(known))
    for moment in decisions(player, kind, episode, pictures=True):
        last[:] = [moment]
        if moment.picture is None and not config.is_atari:
            said = 'its environment renders no pictures (render_mode "rgb_array")'
            raise RunError(f"{player.name}: no film: {said}")
        yield playing.drawn(player.now(moment, NAMED))


def known_rooms(run: Run, frozen: Frozen) -> set[int]:
    """The rooms that were visited in training until the checkpoint; none if no log can be read."""
    try:
        lines = run.episodes()
    except RunError:
        return set()
    upto = [line for line in lines if line["frames"] <= frozen.frames]
    return {int(room) for line in upto for room in line.get("rooms", ())}


def _rounded(frames: int) -> str:
    """Frames in short form.

    Example:
        >>> _rounded(2_000_004), _rounded(9_950_000), _rounded(20_000), _rounded(700)
        ('2 M', '9.9 M', '20,000', '700')
    """
    return f"{frames / 1e6:.1f} M".replace(".0 ", " ") if frames >= 1e6 else f"{frames:,}"


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
        stream.pix_fmt = "yuv420p"
        limits = {"maxrate": str(RATE), "bufsize": str(2 * RATE)}
        stream.options = {"preset": "veryfast", **limits}
        for number, picture in enumerate(pictures, start=1):
            if number == 1:
                stream.height, stream.width = picture.shape[:2]
            film.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            advance(number)
        film.mux(stream.encode())
    return file.getvalue()
