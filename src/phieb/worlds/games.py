"""Finding a game by any of its common names."""

import difflib
import re
from functools import cache
from pathlib import Path

from ale_py import ALEInterface, roms

# Games whose screens have PAL colours.
PAL = frozenset(
    [
        "adventure",
        "air_raid",
        "keystone_kapers",
        "king_kong",
        "klax",
        "laser_gates",
        "mr_do",
        "pacman",
        "sir_lancelot",
        "space_war",
    ]
)


def find_game(name: str) -> str:
    """The emulator's name of a game: "ALE/Venture-v5", "Venture" and "venture" are the same.

    Raises:
        ValueError: no such game (similar names are listed), or not a single-player game.
    """
    if not isinstance(name, str):
        raise TypeError(f"game must be a name such as 'venture', got {name!r}")
    games = _games()
    game = games.get(_plain(name))
    if game is None:
        near = difflib.get_close_matches(_plain(name), games, n=3, cutoff=0.5)
        hint = (
            f"similar names: {', '.join(games[key] for key in near)}"
            if near
            else "no name is similar"
        )
        raise ValueError(f"game must be one that ale-py ships, got {name!r}; {hint}")
    if not _is_playable(game):
        raise ValueError(f"game must be a single-player game, got {game!r}")
    return game


@cache
def _games() -> dict[str, str]:
    """All games by their plain names; made once, as a folder of runs asks thousands of times."""
    return {_plain(game): game for game in roms.get_all_rom_ids()}


@cache
def _is_playable(game: str) -> bool:
    return bool(ALEInterface.isSupportedROM(rom_path(game)))


def game_names() -> list[str]:
    """The emulator's own names of all games."""
    return list(_games().values())


def rom_path(game: str) -> Path:
    """The path of a game's ROM in ale-py."""
    path = roms.get_rom_path(game)
    if path is None:
        raise ValueError(f"ale-py has no ROM of {game!r}")
    return Path(path)


def _plain(name: str) -> str:
    """Letters and digits only: "ALE/MontezumaRevenge-v5" → "montezumarevenge"."""
    name = re.sub(r"^ALE/|(NoFrameskip|Deterministic)?-v\d+$|'s\b", "", name, flags=re.IGNORECASE)
    return re.sub(r"[^a-z0-9]", "", name.lower())


def check_blends(game: str) -> None:
    """Refuse games whose frames cannot be blended."""
    if game in PAL:
        problem = "it has PAL colours, and only blending of NTSC colours is implemented"
        raise ValueError(f'screen must be "last" for {game}: {problem}')


_TITLES = {"montezuma_revenge": "Montezuma's Revenge", "qbert": "Q*bert"}


def title_of(game: str) -> str:
    """A game's title.

    Example:
        >>> title_of("montezuma_revenge"), title_of("private_eye")
        ("Montezuma's Revenge", 'Private Eye')
    """
    plain = game.islower() and "-" not in game  # not a Gymnasium id
    return _TITLES.get(game, game.replace("_", " ").title() if plain else game)
