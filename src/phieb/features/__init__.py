"""What the agent sees: feature maps from observations to ids of active binary features."""

from phieb.features.one_hot import OneHot
from phieb.features.protocol import FeatureMap
from phieb.features.tiles import Tiles

__all__ = ["FeatureMap", "OneHot", "Tiles"]
