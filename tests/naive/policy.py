"""ε-greedy choices, drawing one random number at a time."""

from collections.abc import Sequence

import numpy as np


def choose(q: Sequence[float], epsilon: float, rng: np.random.Generator, tie: float = 0.0) -> int:
    """An ε-greedy action, ties broken at random; draws numbers only when needed.

    Values are tied if they differ by at most `tie` times the largest size of a value, or `tie`
    itself if all are below 1.
    """
    if epsilon > 0 and rng.random() < epsilon:
        return int(rng.random() * len(q))
    largest_size = max(abs(value) for value in q)
    least = max(q) - tie * max(1.0, largest_size)
    best = [a for a, value in enumerate(q) if value >= least]
    return best[int(rng.random() * len(best))] if len(best) > 1 else best[0]


class EpsilonGreedy:
    """The policy of the agents: values equal to ten digits are tied."""

    def __init__(self, epsilon: float, rng: np.random.Generator) -> None:
        self.epsilon, self.rng = epsilon, rng

    def choose(self, q: Sequence[float]) -> int:
        return choose(q, self.epsilon, self.rng, tie=1e-10)
