"""A training run: settings, loop, folder and checkpoints."""

from phieb.signals import StoppedError
from phieb.training.config import Config
from phieb.training.episode import Episode, run_episode
from phieb.training.loop import resume, train
from phieb.training.presets import preset
from phieb.training.run_folder import Run, RunError

__all__ = [
    "Config",
    "Episode",
    "Run",
    "RunError",
    "StoppedError",
    "preset",
    "resume",
    "run_episode",
    "train",
]
