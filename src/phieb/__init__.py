"""phieb: count-based exploration in feature space (Martin, Narayanan S., Everitt & Hutter 2017).

Importing this package registers the environments with Gymnasium. Everything else is imported on
first use, since loading the compiled kernels takes about a second.
"""

from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

with suppress(ImportError, MemoryError):  # too tight a limit: what uses Gymnasium will say so
    from phieb import environments as environments

if TYPE_CHECKING:
    from phieb import features, learning, novelty, training, worlds, wrappers
    from phieb.training import Config, preset, resume, train

__version__ = version("phieb")
__all__ = [
    "Config",
    "features",
    "learning",
    "novelty",
    "preset",
    "resume",
    "train",
    "training",
    "worlds",
    "wrappers",
]

if not TYPE_CHECKING:  # or every name would be one of this package

    def __getattr__(name: str) -> Any:
        """Import a public name on first use."""
        if name not in __all__:
            raise AttributeError(f"module 'phieb' has no attribute {name!r}")
        if name in ("Config", "preset", "resume", "train"):
            return getattr(import_module("phieb.training"), name)
        return import_module(f"phieb.{name}")
