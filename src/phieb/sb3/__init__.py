"""The bonus for agents of Stable-Baselines3, with one bonus for all workers: the extra `sb3`.

`NetworkFeatures` and `NetworkBonus` count the features of an agent's own network, `RndBonus` is the
prediction error of Burda et al. (2019).
"""

from phieb.sb3.callback import BonusCallback
from phieb.sb3.network_bonus import NetworkBonus
from phieb.sb3.network_features import NetworkFeatures
from phieb.sb3.replay import RecomputingReplayBuffer
from phieb.sb3.rnd import RndBonus
from phieb.sb3.vec_env import BonusVecEnv

__all__ = [
    "BonusCallback",
    "BonusVecEnv",
    "NetworkBonus",
    "NetworkFeatures",
    "RecomputingReplayBuffer",
    "RndBonus",
]
