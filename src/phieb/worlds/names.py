"""Names of worlds: Atari games, Gymnasium ids, and `package.module:make_env`."""

import difflib
import importlib
import inspect
import re
from collections.abc import Mapping
from typing import Any

import gymnasium

from phieb.registry import imported
from phieb.worlds.games import find_game, game_names

GIVEN = "given"  # the name of an environment or part that was passed from Python

# Packages that register environments when imported, by the first word of their ids.
_PACKAGES = {"MiniGrid": "minigrid", "BabyAI": "minigrid"}


def is_atari(name: str) -> bool:
    """Whether a name that `find_world` returned is that of an Atari game."""
    return name != GIVEN and re.fullmatch(r"[a-z0-9_]+", name) is not None


def find_world(name: Any) -> str:
    """The canonical name of a world; of an Atari game, the emulator's name.

    Raises:
        ValueError: there is no such world; the message lists similar names.
    """
    if not isinstance(name, str) or name.startswith("ALE/"):
        return find_game(name)
    if name == GIVEN:
        return name
    if ":" in name:
        if not _is_id(name):
            imported("game", name)
        return name
    _import_package_of(name)
    if name in gymnasium.registry:
        return name
    try:
        return find_game(name)
    except ValueError:
        if name in game_names():  # a game that cannot be played, for example by one player
            raise
        raise ValueError(f"game must be {_KINDS}, got {name!r}; {_nearest(name)}") from None


def file_name(text: str) -> str:
    """A name without the characters that file names cannot contain, such as / and :.

    Example:
        >>> file_name("phieb/PointMaze2D-v0")
        'phieb_PointMaze2D-v0'
    """
    return re.sub(r"[^\w.-]", "_", text)


_KINDS = "an Atari game that ale-py ships, a Gymnasium id or package.module:make_env"


def make_env(
    name: str, args: Mapping[str, Any] | None = None, *, pictures: bool = False
) -> gymnasium.Env[Any, Any]:
    """Make the environment of this name.

    Args:
        name: a Gymnasium id, or `package.module:make_env`; not an Atari game.
        args: the arguments of the environment.
        pictures: whether it should render RGB arrays.

    Raises:
        ValueError: it cannot be made; the message is one line.
    """
    own = ":" in name and not _is_id(name)
    make = imported("game", name) if own else None
    given = dict(args or {})
    try:
        if pictures and (make is None or "render_mode" in inspect.signature(make).parameters):
            given.setdefault("render_mode", "rgb_array")
        env = gymnasium.make(name, **given) if make is None else make(**given)
    except Exception as error:  # user code may raise anything
        problem = str(error).partition("\n")[0] or type(error).__name__
        said = f" with {dict(args)}" if args else ""
        raise ValueError(f"{name} cannot be made{said}: {problem}") from None
    return checked(name, env)


def checked(name: str, env: Any) -> gymnasium.Env[Any, Any]:
    """The environment, if agents can be trained on it.

    Raises:
        ValueError: it is not a Gymnasium environment, or its actions are not discrete.
    """
    if not isinstance(env, gymnasium.Env):
        raise ValueError(f"{name} must be a gymnasium.Env, got {env!r}")
    for method in ("reset", "step"):
        if getattr(type(env), method) is getattr(gymnasium.Env, method):
            raise ValueError(f"{name} must have the method {method}, got {type(env).__name__}")
    for space in ("action_space", "observation_space"):
        if not isinstance(getattr(env, space, None), gymnasium.Space):
            raise ValueError(f"{name} must have an {space}, got {type(env).__name__} without one")
    if not isinstance(env.action_space, gymnasium.spaces.Discrete):
        raise ValueError(f"{name} must have Discrete actions, got {env.action_space}")
    return env


def _import_package_of(name: str) -> None:
    """Import the package that registers this id, if it is one of `_PACKAGES`."""
    package = _PACKAGES.get(name.partition("-")[0])
    if package is not None:
        try:
            importlib.import_module(package)
        except ImportError:
            raise ValueError(f"{name} needs {package}: pip install {package}") from None


def _nearest(name: str) -> str:
    """The known names most similar to an unknown one, in words."""
    names = {known.lower(): known for known in (*gymnasium.registry, *game_names())}
    near = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.6)
    known = ", ".join(names[one] for one in near)
    return f"similar names: {known}" if near else "no name is similar"


def _is_id(name: str) -> bool:
    """Whether this is a Gymnasium id, possibly prefixed by the module that registers it."""
    return re.search(r"-v\d+$", name) is not None
