"""The bonus for agents of Stable-Baselines3, with one bonus for all workers: the extra `sb3`."""

from phieb.sb3.callback import BonusCallback
from phieb.sb3.replay import RecomputingReplayBuffer
from phieb.sb3.vec_env import BonusVecEnv

__all__ = ["BonusCallback", "BonusVecEnv", "RecomputingReplayBuffer"]
