"""The slow, obvious twin of every kernel: plain Python, dictionaries and loops, no cleverness."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

Pair = tuple[int, int]


def dense_log_density(
    history: Sequence[Sequence[int]], phi: Sequence[int], estimator: str = "kt"
) -> float:
    """Log Π_i ρ_t^i(φ_i) over all components of dense vectors, by counting the history (Def. 1)."""
    t = len(history)
    log_rho = 0.0
    for i, value in enumerate(phi):
        n = sum(past[i] == value for past in history)
        factor = (n + 0.5) / (t + 1) if estimator == "kt" else n / t
        log_rho += math.log(factor) if factor > 0 else -math.inf
    return log_rho


def leave_out_log_density(history: Sequence[Iterable[int]], active: Iterable[int]) -> float:
    """Log ρ_t over the features observed so far and those on now, KT factors."""
    sets, on = [set(past) for past in history], set(active)
    features = sorted(on.union(*sets))
    dense = [[int(i in past) for i in features] for past in sets]
    return dense_log_density(dense, [int(i in on) for i in features])


def choose(q: Sequence[float], epsilon: float, rng: np.random.Generator) -> int:
    """ε-greedy, ties broken at random; draws only where chance decides."""
    if epsilon > 0 and rng.random() < epsilon:
        return int(rng.random() * len(q))
    best = [a for a, value in enumerate(q) if value == max(q)]
    return best[int(rng.random() * len(best))] if len(best) > 1 else best[0]


class MbieEb:
    """MBIE-EB from its definition: keeps the whole history, plans from scratch at every step."""

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
    """Dyna-Q+ with a model that is the list of all outcomes."""

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


Place = tuple[int, int, int]  # colour, tile row, tile column
Row = tuple[int, int, int, int, int]


def blob_boxes(
    screen: Sequence[Sequence[int]], tolerance: int
) -> list[tuple[int, int, int, int, int]]:
    """(colour, top, bottom, left, right) of every blob, by flood fill over sets of pixels."""
    pixels: dict[int, set[Pair]] = defaultdict(set)
    for y, row in enumerate(screen):
        for x, byte in enumerate(row):
            pixels[byte >> 1].add((y, x))
    reach = range(-tolerance, tolerance + 1)
    boxes = []
    for colour, unseen in pixels.items():
        while unseen:
            todo = [unseen.pop()]
            blob = list(todo)
            while todo:
                y, x = todo.pop()
                near = {(y + dy, x + dx) for dy in reach for dx in reach} & unseen
                unseen -= near
                todo += near
                blob += near
            ys, xs = [y for y, _ in blob], [x for _, x in blob]
            boxes.append((colour, min(ys), max(ys), min(xs), max(xs)))
    return boxes


def blob_places(screen: Sequence[Sequence[int]], tile: Pair, tolerance: int) -> set[Place]:
    """The tiles of the centres of the blobs' boxes."""
    return {
        (colour, (top + bottom) // 2 // tile[0], (left + right) // 2 // tile[1])
        for colour, top, bottom, left, right in blob_boxes(screen, tolerance)
    }


def colour_places(
    screen: Sequence[Sequence[int]], background: Sequence[Sequence[int]], tile: Pair
) -> set[Place]:
    """The tiles that have a pixel of a colour other than the background's."""
    return {
        (byte >> 1, y // tile[0], x // tile[1])
        for y, row in enumerate(screen)
        for x, byte in enumerate(row)
        if byte >> 1 != background[y][x] >> 1
    }


def prost_rows(then: set[Place], now: set[Place]) -> tuple[set[Row], set[Row], set[Row]]:
    """Basic features, space pairs and time pairs as decoded rows, straight from the definition."""
    basic = {(0, c, -1, y, x) for c, y, x in now}
    space = set()
    for c1, y1, x1 in now:
        for c2, y2, x2 in now:
            dy, dx = y1 - y2, x1 - x2
            if c1 < c2 or (c1 == c2 and (dy > 0 or (dy == 0 and dx >= 0))):
                space.add((1, c1, c2, dy, dx))
    time = {(2, c1, c2, y1 - y2, x1 - x2) for c1, y1, x1 in then for c2, y2, x2 in now}
    return basic, space, time


def kt_log_density_and_gain(
    counts: Sequence[int], t: int, on: Iterable[int]
) -> tuple[float, float]:
    """Log ρ_t and L over all features with these counts, term by term (ALGORITHM §3)."""
    is_on = set(on)
    seen = [n if i in is_on else t - n for i, n in enumerate(counts)]
    log_rho = math.fsum(math.log((n + 0.5) / (t + 1)) for n in seen)
    gain = math.fsum(math.log1p(1 / (n + 0.5)) for n in seen)
    return log_rho, gain - len(seen) * math.log1p(1 / (t + 1))
