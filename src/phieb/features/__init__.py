"""What the agent sees: feature maps from observations to ids of active binary features.

`Grey` has the same methods and returns a small picture, for bonuses that count pictures.
"""

from phieb.features.blob_prost import BlobProst
from phieb.features.grey import Grey
from phieb.features.ladder import Basic, BPros, BProst
from phieb.features.one_hot import OneHot
from phieb.features.protocol import FeatureMap
from phieb.features.tiles import Tiles

__all__ = ["BPros", "BProst", "Basic", "BlobProst", "FeatureMap", "Grey", "OneHot", "Tiles"]
