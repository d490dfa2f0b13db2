"""What the agent sees: feature maps from observations to ids of active binary features.

`Grey` and `Bass` have the same methods and return small pictures, for bonuses that count those.
"""

from phieb.features.bass import Bass
from phieb.features.blob_prost import BlobProst
from phieb.features.grey import Grey
from phieb.features.ladder import Basic, BPros, BProst
from phieb.features.one_hot import OneHot
from phieb.features.protocol import FeatureMap
from phieb.features.tiles import Tiles

__all__ = ["BPros", "BProst", "Basic", "Bass", "BlobProst", "FeatureMap", "Grey", "OneHot", "Tiles"]
