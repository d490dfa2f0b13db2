"""Doing it: putting worlds, features, novelty and learning together."""

from phieb.runs.episode import Episode, run_episode

__all__ = ["Episode", "run_episode"]
