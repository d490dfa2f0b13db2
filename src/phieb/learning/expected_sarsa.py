"""Expected Sarsa(λ) (van Seijen et al. 2009; Sutton & Barto 2018, §6.6) with linear values."""

from phieb.kernels.linear.sarsa import EXPECTED
from phieb.learning.agent import AGENTS
from phieb.learning.sarsa import SarsaLambda


@AGENTS.declare("expected-sarsa", label="Expected-Sarsa", citation="van Seijen et al. 2009")
class ExpectedSarsaLambda(SarsaLambda):
    """`SarsaLambda` that bootstraps from Σ_a π(a|s′) Q(s′, a) instead of Q(s′, a′).

    π is the ε-greedy behaviour policy, for both heads of a split value.

    Example:
        >>> agent = ExpectedSarsaLambda(actions=2, seed=0)
        >>> action = agent.start([0])
        >>> action = agent.learn([1], 1.0, 0.05)  # reward, bonus
    """

    rule = EXPECTED
