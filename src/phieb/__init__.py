"""phieb: count-based exploration in feature space (Martin, Narayanan S., Everitt & Hutter 2017)."""

from importlib.metadata import version

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
