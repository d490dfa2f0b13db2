"""The background of a game's screens, which Basic, B-PROS and B-PROST subtract."""

import os
import warnings
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phieb.files import writing
from phieb.files.arrays import packed, read_arrays, unpacked
from phieb.files.errors import DamagedError, MissingError
from phieb.worlds.games import find_game
from phieb.worlds.random_screens import random_screens

DECISIONS = 3_600  # 18,000 frames of random play
SEED = 0
NAME = "background"  # of the array in the file


def background(game: str, folder: str | os.PathLike[str] | None = None) -> NDArray[np.uint8]:
    """The most frequent colour of every pixel in random play, as a screen.

    It is computed once, in a few seconds, and cached in `folder`.

    Args:
        game: any name that `Atari` takes.
        folder: the cache folder; by default `phieb/backgrounds` in the user's cache folder.

    Raises:
        DamagedError: what is in the cache folder is no background.
    """
    game = find_game(game)
    path = (_cache_folder() if folder is None else Path(folder)) / f"{game}.safetensors"
    try:
        return _load(path)
    except MissingError:
        found = most_frequent_colours(random_screens(game, DECISIONS, SEED))
    try:
        writing.make_folder(path.parent)
        writing.write(path, packed({NAME: found}))
    except OSError as error:
        said = f"{error.filename}: {error.strerror}: the background is computed each time"
        warnings.warn(said, RuntimeWarning, stacklevel=2)
    return found


def _load(path: Path) -> NDArray[np.uint8]:
    found, _ = unpacked(path, read_arrays(path))
    screen = found.get(NAME)
    if screen is None or screen.dtype != np.uint8 or screen.ndim != 2 or min(screen.shape) < 100:
        raise DamagedError(f"{path}: is not the background of a game; delete it")
    return np.asarray(screen, np.uint8)


def most_frequent_colours(screens: Iterable[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """The most frequent colour of every pixel, as palette bytes; ties: the lowest colour."""
    counts: NDArray[np.int32] | None = None
    for screen in screens:
        if counts is None:
            counts = np.zeros((128, *screen.shape), np.int32)
            y, x = np.ogrid[: screen.shape[0], : screen.shape[1]]
        counts[screen >> 1, y, x] += 1
    if counts is None:
        raise ValueError("screens must hold at least one screen, got none")
    found: NDArray[np.uint8] = (2 * counts.argmax(axis=0)).astype(np.uint8)
    return found


def _cache_folder() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(root) / "phieb" / "backgrounds"
