"""phieb: count-based exploration in feature space (Martin, Narayanan S., Everitt & Hutter 2017)."""

from importlib.metadata import version

from phieb import features, learning, novelty, runs, worlds

__version__ = version("phieb")
__all__ = ["features", "learning", "novelty", "runs", "worlds"]
