"""The background of a game's screens, which Basic, B-PROS and B-PROST subtract."""

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phieb.worlds.games import find_game
from phieb.worlds.random_screens import random_screens

DECISIONS = 3_600  # 18,000 frames of random play
SEED = 0


def background(game: str, folder: str | os.PathLike[str] | None = None) -> NDArray[np.uint8]:
    """The most frequent colour of every pixel in random play, as a screen.

    It is computed once, in a few seconds, and cached in `folder`.

    Args:
        game: any name that `Atari` takes.
        folder: the cache folder; by default `phieb/backgrounds` in the user's cache folder.
    """
    game = find_game(game)
    path = (_cache_folder() if folder is None else Path(folder)) / f"{game}.npy"
    if path.exists():
        return _load(path)
    found = most_frequent_colours(random_screens(game, DECISIONS, SEED))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npy")
    np.save(part, found)
    part.replace(path)
    return found


def _load(path: Path) -> NDArray[np.uint8]:
    try:
        found = np.load(path, allow_pickle=False)
        if found.dtype != np.uint8 or found.ndim != 2 or min(found.shape) < 100:
            raise ValueError(f"shape {found.shape} of {found.dtype}")
    except (ValueError, EOFError) as error:
        raise ValueError(f"{path} must be a background, got {error}: delete the file") from None
    return np.asarray(found, np.uint8)


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
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "phieb" / "backgrounds"
