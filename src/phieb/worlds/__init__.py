"""Environments. Importing this package registers them with Gymnasium under `phieb/`."""

import gymnasium

from phieb.worlds.atari import Atari
from phieb.worlds.backgrounds import background
from phieb.worlds.bandit import Bandit
from phieb.worlds.deep_sea import DeepSea
from phieb.worlds.plane import Plane
from phieb.worlds.point_maze import PointMaze2D
from phieb.worlds.random_screens import random_screens
from phieb.worlds.river_swim import RiverSwim
from phieb.worlds.six_arms import SixArms
from phieb.worlds.tabular import Tables, TabularWorld

__all__ = [
    "Atari",
    "Bandit",
    "DeepSea",
    "Plane",
    "PointMaze2D",
    "RiverSwim",
    "SixArms",
    "Tables",
    "TabularWorld",
    "background",
    "random_screens",
]

# The three worlds without terminal states are truncated as in the published results.
_HORIZON = 5_000

for _name, _steps in (
    ("Atari", None),
    ("Bandit", _HORIZON),
    ("DeepSea", None),
    ("Plane", None),
    ("PointMaze2D", None),  # its sizes are cut after different numbers of steps
    ("RiverSwim", _HORIZON),
    ("SixArms", _HORIZON),
):
    _id = f"phieb/{_name}-v0"
    if _id not in gymnasium.registry:
        gymnasium.register(_id, entry_point=f"phieb.worlds:{_name}", max_episode_steps=_steps)
