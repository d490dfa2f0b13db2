"""Learners, agents with linear values (Sarsa(λ) and others), and tabular methods."""

from phieb.learning import extra as _extra  # noqa: F401 - declares agents of phieb.deep
from phieb.learning.agent import AGENTS, Agent, TrainableAgent
from phieb.learning.compiled import CompiledLearner
from phieb.learning.dyna import DynaQPlus
from phieb.learning.expected_sarsa import ExpectedSarsaLambda
from phieb.learning.learner import ComposedLearner, Decision, Learner
from phieb.learning.mbie import MbieEb
from phieb.learning.policy import EpsilonGreedy
from phieb.learning.q_lambda import QLambda
from phieb.learning.sarsa import DivergedError, SarsaLambda
from phieb.learning.true_online import TrueOnlineSarsaLambda
from phieb.learning.ucb import Ucb1

__all__ = [
    "AGENTS",
    "Agent",
    "CompiledLearner",
    "ComposedLearner",
    "Decision",
    "DivergedError",
    "DynaQPlus",
    "EpsilonGreedy",
    "ExpectedSarsaLambda",
    "Learner",
    "MbieEb",
    "QLambda",
    "SarsaLambda",
    "TrainableAgent",
    "TrueOnlineSarsaLambda",
    "Ucb1",
]
