"""Doing it: putting worlds, features, novelty and learning together."""

from phieb.runs.backgrounds import background
from phieb.runs.config import Config, preset
from phieb.runs.episode import Episode, run_episode
from phieb.runs.folder import Run, RunError
from phieb.runs.look import random_screens
from phieb.runs.stopping import StoppedError
from phieb.runs.train import resume, train

__all__ = [
    "Config",
    "Episode",
    "Run",
    "RunError",
    "StoppedError",
    "background",
    "preset",
    "random_screens",
    "resume",
    "run_episode",
    "train",
]
