"""What to do about it: Sarsa(λ) with linear values, and the tabular methods the paper builds on."""

from phieb.learning.agent import Agent
from phieb.learning.dyna import DynaQPlus
from phieb.learning.mbie import MbieEb
from phieb.learning.policy import EpsilonGreedy
from phieb.learning.sarsa import DivergedError, SarsaLambda
from phieb.learning.ucb import Ucb1

__all__ = ["Agent", "DivergedError", "DynaQPlus", "EpsilonGreedy", "MbieEb", "SarsaLambda", "Ucb1"]
