"""Doing it: putting worlds, features, novelty and learning together."""

from phieb.runs.backgrounds import background
from phieb.runs.episode import Episode, run_episode
from phieb.runs.look import random_screens

__all__ = ["Episode", "background", "random_screens", "run_episode"]
