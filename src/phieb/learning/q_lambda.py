"""Watkins's Q(λ) (Watkins 1989; Sutton & Barto 2018, §12.10) with linear values."""

from phieb.kernels.linear.sarsa import GREEDY
from phieb.learning.agent import AGENTS
from phieb.learning.sarsa import SarsaLambda


@AGENTS.declare("q", label="Q", citation="Watkins 1989")
class QLambda(SarsaLambda):
    """`SarsaLambda` that bootstraps from a greedy action, and cuts traces at non-greedy actions.

    For both heads of a split value, greedy means with respect to the behaviour values.

    Example:
        >>> agent = QLambda(actions=2, seed=0)
        >>> action = agent.start([0])
        >>> action = agent.learn([1], 1.0, 0.05)  # reward, bonus
    """

    rule = GREEDY
