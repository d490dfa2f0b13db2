"""Compile the kernels of Sarsa(λ) and of the bonus, while another process compiles the features.

Numba keeps compiled kernels on disk, and each process uses what the other has finished: two cores
need about two thirds of the time of one. The types are those of a run with the default settings.
"""

import numpy as np
from gymnasium.spaces import Discrete

from phieb.learning import SarsaLambda
from phieb.novelty import PhiBonus

agent = SarsaLambda(
    Discrete(18), value="split", continuing=True, scale_reward=True, precision="single", seed=1
)
bonus = PhiBonus()
ids = np.arange(50)
bonus.observe(ids)
agent.start(ids)
agent.learn(ids + 20, 0.0, bonus.observe(ids + 20))
agent.end(1.0, 0.0)
