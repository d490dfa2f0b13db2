"""Context tree switching by its recursive definition."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class ContextTree:
    """Context tree switching by its recursive definition, with dictionaries and in log space.

    k and s as in Veness et al. (2012), §3.1: probabilities of the whole history, not normalised.
    """

    def __init__(self, levels: int) -> None:
        self.levels, self.n = levels, 0
        self.counts: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
        self.log_k: dict[tuple[int, ...], float] = defaultdict(lambda: math.log(0.5))
        self.log_s: dict[tuple[int, ...], float] = defaultdict(lambda: math.log(0.5))

    def log_estimate(self, seen: tuple[int, ...], x: int) -> float:
        counts = self.counts[seen]
        return math.log((counts[x] + 1 / self.levels) / (counts.total() + 1))

    def log_predict(self, context: Sequence[int], x: int, depth: int = 0) -> float:
        """Log p(x) of the node for the first `depth` of the context."""
        c = tuple(context[:depth])
        own = self.log_estimate(c, x)
        if depth == len(context):
            return own
        below = self.log_predict(context, x, depth + 1)
        mixed = np.logaddexp(self.log_k[c] + own, self.log_s[c] + below)
        return float(mixed - np.logaddexp(self.log_k[c], self.log_s[c]))

    def update(self, context: Sequence[int], x: int) -> None:
        self.n += 1
        alpha = 1 / (self.n + 1)
        for depth in range(len(context)):  # from the root: a node needs its child before the update
            c = tuple(context[:depth])
            k = self.log_k[c] + self.log_estimate(c, x)
            s = self.log_s[c] + self.log_predict(context, x, depth + 1)
            self.log_k[c] = float(np.logaddexp(math.log(1 - alpha) + k, math.log(alpha) + s))
            self.log_s[c] = float(np.logaddexp(math.log(1 - alpha) + s, math.log(alpha) + k))
        for depth in range(len(context) + 1):
            self.counts[tuple(context[:depth])][x] += 1


class CtsDensity:
    """One context tree per pixel."""

    def __init__(self, levels: int) -> None:
        self.trees: dict[tuple[int, int], ContextTree] = defaultdict(lambda: ContextTree(levels))

    def observe(self, screen: NDArray[Any]) -> tuple[float, float]:
        """Observe a screen; returns log ρ_t and log ρ_{t+1}."""
        log_rho = log_rho_prime = 0.0
        for (y, x), level in np.ndenumerate(screen):
            near = [(y, x - 1), (y - 1, x), (y - 1, x - 1), (y - 1, x + 1)]
            inside = [0 <= j < screen.shape[0] and 0 <= i < screen.shape[1] for j, i in near]
            context = [int(screen[at]) if ok else 0 for at, ok in zip(near, inside, strict=True)]
            tree = self.trees[y, x]
            log_rho += tree.log_predict(context, int(level))
            tree.update(context, int(level))
            log_rho_prime += tree.log_predict(context, int(level))
        return log_rho, log_rho_prime
