"""Parts of a run that are given from Python: objects, or what makes them."""

import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import gymnasium

from phieb.training.config import Config
from phieb.worlds.names import GIVEN


class Given(NamedTuple):
    """Environment and parts that have no name; None where the settings name one."""

    env: gymnasium.Env[Any, Any] | Callable[..., gymnasium.Env[Any, Any]] | None = None
    features: Any = None
    bonus: Any = None
    agent: Any = None

    def made_env(self, config: Config) -> gymnasium.Env[Any, Any]:
        """The environment."""
        if self.env is None:
            said = "the environment was given from Python: give it to phieb.train or phieb.resume"
            raise ValueError(said)
        if isinstance(self.env, gymnasium.Env):
            if config.env_args:
                raise ValueError(f"env_args must be empty with an env, got {config.env_args}")
            return self.env
        return self.env(**config.env_args)

    def named(self, config: Config) -> Config:
        """The settings with the names of what was given.

        A class or function that another process can import is known by its name, so all commands
        work with the run; anything else has to be given again when the run is resumed.
        """
        known_as = {"env": "game", "features": "features", "bonus": "bonus", "agent": "agent"}
        changes: dict[str, Any] = {
            known_as[kind]: _name_of(part)
            for kind, part in self._asdict().items()
            if part is not None
        }
        if "bonus" in changes:  # only the bonus phi can count per feature
            changes["per_feature"] = False
        return replace(config, **changes)


NOTHING = Given()


def _name_of(part: Any) -> str:
    """`package.module:Name`, where that leads back to this part."""
    module, name = getattr(part, "__module__", None), getattr(part, "__qualname__", None)
    if not module or not name or module == "__main__":
        return GIVEN
    try:
        found: Any = importlib.import_module(module)
        for step in name.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError):  # made inside a function
        return GIVEN
    return f"{module}:{name}" if found is part else GIVEN
