"""Environments, registered with Gymnasium under `phieb/` (environments.py)."""

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
