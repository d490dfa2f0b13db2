"""Finding a world by its name: an Atari game, a Gymnasium id, or one of the user's own."""

import re
from typing import Any

import gymnasium

from phieb.registry import imported
from phieb.worlds.games import find_game


def is_atari(name: str) -> bool:
    """Whether a name that `find_world` returned is one of the emulator's games."""
    return re.fullmatch(r"[a-z0-9_]+", name) is not None


def find_world(name: Any) -> str:
    """The one name of a world; of an Atari game the emulator's own.

    Raises:
        ValueError: there is none.
    """
    if isinstance(name, str) and not name.startswith("ALE/"):
        if ":" in name and not _is_id(name):
            imported("game", name)
            return name
        if name in gymnasium.registry or ":" in name:
            return name
    return find_game(name)


def make_env(name: str) -> gymnasium.Env[Any, Any]:
    """The environment of this name, where it is not an Atari game.

    Raises:
        ValueError: it cannot be made; one line says why.
    """
    try:
        if ":" in name and not _is_id(name):
            env: gymnasium.Env[Any, Any] = imported("game", name)()
        else:
            env = gymnasium.make(name)
    except Exception as error:  # whatever the environment raises
        problem = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(f"{name} cannot be made: {problem}") from None
    if not isinstance(env.action_space, gymnasium.spaces.Discrete):
        raise ValueError(f"{name} must have Discrete actions, got {env.action_space}")
    return env


def _is_id(name: str) -> bool:
    """Whether it is a Gymnasium id, perhaps with the module that registers it."""
    return re.search(r"-v\d+$", name) is not None
