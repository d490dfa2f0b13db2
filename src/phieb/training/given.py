"""Parts of a run passed from Python: objects, or classes and functions that return them."""

import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import gymnasium

from phieb.training.config import Config
from phieb.worlds.names import GIVEN


class Given(NamedTuple):
    """The environment and the parts passed to `train`; None where the settings name one."""

    env: gymnasium.Env[Any, Any] | Callable[..., gymnasium.Env[Any, Any]] | None = None
    features: Any = None
    bonus: Any = None
    agent: Any = None

    def made_env(self, config: Config) -> gymnasium.Env[Any, Any]:
        """The environment, constructed if it was passed as a function."""
        if self.env is None:
            said = "the environment was given from Python: give it to phieb.train or phieb.resume"
            raise ValueError(said)
        if isinstance(self.env, gymnasium.Env):
            if config.env_args:
                raise ValueError(f"env_args must be empty with an env, got {config.env_args}")
            return self.env
        return self.env(**config.env_args)

    def named(self, config: Config) -> Config:
        """The settings, with the names of the parts that were passed.

        A class or function that another process can import is recorded by its name, so that all
        commands work with the run; any other part must be passed again to resume the run.
        """
        known_as = {"env": "game", "features": "features", "bonus": "bonus", "agent": "agent"}
        changes: dict[str, Any] = {
            known_as[kind]: _name_of(part)
            for kind, part in self._asdict().items()
            if part is not None
        }
        if "bonus" in changes:  # only φ-EB has a count per feature
            changes["per_feature"] = False
        return replace(config, **changes)


NOTHING = Given()


def _name_of(part: Any) -> str:
    """`package.module:Name` if importing that gives this part, else `GIVEN`."""
    module, name = getattr(part, "__module__", None), getattr(part, "__qualname__", None)
    if not module or not name or module == "__main__":
        return GIVEN
    try:
        found: Any = importlib.import_module(module)
        for step in name.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError):  # for example defined inside a function
        return GIVEN
    return f"{module}:{name}" if found is part else GIVEN
