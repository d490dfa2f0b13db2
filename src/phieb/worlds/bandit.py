"""A Bernoulli bandit: one state, arms that pay 1 or 0."""

from collections.abc import Sequence

from phieb import arguments
from phieb.worlds.tabular import Outcome, TabularWorld, tables

# Ten arms as in the experiments of Auer, Cesa-Bianchi & Fischer 2002.
ARMS = (0.9, 0.8, 0.8, 0.8, 0.7, 0.7, 0.7, 0.6, 0.6, 0.6)


class Bandit(TabularWorld):
    """Arm a pays 1 with probability arms[a], else 0. Episodes do not end.

    Args:
        arms: the probability of each arm.
    """

    def __init__(self, arms: Sequence[float] = ARMS) -> None:
        if len(arms) == 0:
            raise ValueError("arms must hold at least one probability, got none")
        chances = [arguments.number("arms", p, low=0.0, high=1.0) for p in arms]
        pulls: list[list[Outcome]] = [[(p, 0, 1.0), (1.0 - p, 0, 0.0)] for p in chances]
        super().__init__(tables([pulls], starts=[0]))
