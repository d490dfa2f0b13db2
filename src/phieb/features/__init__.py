"""Feature maps from observations to the ids of active binary features.

`Grey` and `Bass` have the same methods but return small images, for bonuses that count those.
"""

from phieb.features.bass import Bass
from phieb.features.bits import Bits
from phieb.features.blob_prost import BlobProst
from phieb.features.choice import features_for
from phieb.features.colour_cells import ColourCells
from phieb.features.from_function import FromFunction
from phieb.features.grey import Grey
from phieb.features.grid_objects import GridObjects
from phieb.features.ladder import Basic, BPros, BProst
from phieb.features.one_hot import OneHot
from phieb.features.one_hot_each import OneHotEach
from phieb.features.parts import Parts
from phieb.features.protocol import FEATURES, FeatureMap
from phieb.features.random_binary import RandomBinary
from phieb.features.ranges import Ranges, ranges_of
from phieb.features.tiles import Tiles
from phieb.features.unchanged import Unchanged
from phieb.features.values import Values

__all__ = [
    "FEATURES",
    "BPros",
    "BProst",
    "Basic",
    "Bass",
    "Bits",
    "BlobProst",
    "ColourCells",
    "FeatureMap",
    "FromFunction",
    "Grey",
    "GridObjects",
    "OneHot",
    "OneHotEach",
    "Parts",
    "RandomBinary",
    "Ranges",
    "Tiles",
    "Unchanged",
    "Values",
    "features_for",
    "ranges_of",
]
