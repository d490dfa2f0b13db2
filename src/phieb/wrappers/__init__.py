"""The bonus for any Gymnasium agent."""

from phieb.wrappers.ale_screen import AleScreen
from phieb.wrappers.exploration import ExplorationBonus
from phieb.wrappers.vector import VectorExplorationBonus

__all__ = ["AleScreen", "ExplorationBonus", "VectorExplorationBonus"]
