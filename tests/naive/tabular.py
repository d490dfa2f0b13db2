"""The tabular agents MBIE-EB, Dyna-Q+ and UCB1, computed from the whole history."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

Pair = tuple[int, int]  # state, action


class MbieEb:
    """MBIE-EB by its definition: stores the history and plans from scratch at every step."""

    def __init__(
        self, num_states: int, num_actions: int, beta: float, r_max: float, gamma: float
    ) -> None:
        self.states, self.actions = range(num_states), range(num_actions)
        self.beta, self.gamma = beta, gamma
        self.largest = (r_max + beta) / (1 - gamma)
        self.history: dict[Pair, list[tuple[float, int | None]]] = defaultdict(list)
        self.q = self._solve()

    def learn(self, s: int, a: int, r: float, s2: int | None) -> None:
        self.history[s, a].append((r, s2))
        self.q = self._solve()

    def _solve(self) -> dict[Pair, float]:
        q = {(s, a): self.largest for s in self.states for a in self.actions}
        for _ in range(1_000):
            v = {s: max(q[s, a] for a in self.actions) for s in self.states}
            for pair, seen in self.history.items():
                ahead = [r + self.gamma * (0.0 if s2 is None else v[s2]) for r, s2 in seen]
                q[pair] = sum(ahead) / len(seen) + self.beta / math.sqrt(len(seen))
        return q


class DynaQPlus:
    """Dyna-Q+ whose model is the list of all outcomes."""

    def __init__(
        self,
        num_actions: int,
        kappa: float,
        alpha: float,
        gamma: float,
        num_backups: int,
        rng: np.random.Generator,
    ) -> None:
        self.actions = range(num_actions)
        self.kappa, self.alpha, self.gamma, self.num_backups = kappa, alpha, gamma, num_backups
        self.rng = rng
        self.q: dict[Pair, float] = defaultdict(float)
        self.history: dict[Pair, list[tuple[float, int | None]]] = defaultdict(list)
        self.last: dict[Pair, int] = defaultdict(int)
        self.now = 0

    def best(self, s: int | None) -> float:
        return 0.0 if s is None else max(self.q[s, a] for a in self.actions)

    def learn(self, s: int, a: int, r: float, s2: int | None) -> None:
        self.q[s, a] += self.alpha * (r + self.gamma * self.best(s2) - self.q[s, a])
        self.now += 1
        self.last[s, a] = self.now
        self.history[s, a].append((r, s2))
        visited = sorted({s for s, _ in self.history})
        for _ in range(self.num_backups):
            s = visited[int(self.rng.random() * len(visited))]
            a = int(self.rng.random() * len(self.actions))
            # An untried action is imagined to lead back without reward.
            seen: list[tuple[float, int | None]] = self.history.get((s, a), [(0.0, s)])
            target = sum(r + self.gamma * self.best(s2) for r, s2 in seen) / len(seen)
            target += self.kappa * math.sqrt(self.now - self.last[s, a])
            self.q[s, a] += self.alpha * (target - self.q[s, a])


def upper_bounds(pulls: Sequence[tuple[int, float]], num_arms: int) -> list[float]:
    """UCB1's Q̂(a) + √(2 log t / N(a)) from the list of (arm, reward)."""
    n = Counter(arm for arm, _ in pulls)
    bounds = []
    for arm in range(num_arms):
        rewards = [r for a, r in pulls if a == arm]
        mean = sum(rewards) / len(rewards) if rewards else 0.0
        bounds.append(mean + math.sqrt(2 * math.log(len(pulls)) / n[arm]) if rewards else math.inf)
    return bounds
