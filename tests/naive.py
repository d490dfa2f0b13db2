"""The slow, obvious twin of every kernel: plain Python, dictionaries and loops, no cleverness."""

import functools
import math
import operator
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.learning.policy import EpsilonGreedy
from phieb.sparse.rows import Rows

EXTRINSIC, INTRINSIC = 0, -1

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


class ContextTree:
    """Context tree switching from its recursion: dictionaries by context, all in log space.

    k and s as in Veness et al. (2012), §3.1: probabilities of the whole history, not shares.
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
        for depth in range(len(context)):  # from the root: a node needs its child as it was
            c = tuple(context[:depth])
            k = self.log_k[c] + self.log_estimate(c, x)
            s = self.log_s[c] + self.log_predict(context, x, depth + 1)
            self.log_k[c] = float(np.logaddexp(math.log(1 - alpha) + k, math.log(alpha) + s))
            self.log_s[c] = float(np.logaddexp(math.log(1 - alpha) + s, math.log(alpha) + k))
        for depth in range(len(context) + 1):
            self.counts[tuple(context[:depth])][x] += 1


class CtsDensity:
    """A context tree for each pixel, in a dictionary."""

    def __init__(self, levels: int) -> None:
        self.trees: dict[Pair, ContextTree] = defaultdict(lambda: ContextTree(levels))

    def observe(self, screen: NDArray[Any]) -> tuple[float, float]:
        """Log ρ_t of the screen, then learn it, then log ρ_{t+1}."""
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


class SarsaLambda:
    """Sarsa(λ) plainly: every step touches every feature ever seen, in double precision."""

    def __init__(
        self,
        num_actions: int,
        alpha: float = 0.5,
        gamma: float = 0.99,
        lambda_: float = 0.9,
        epsilon: float = 0.01,
        value: str = "joint",
        continuing: bool = False,
        initial_value: float = 0.0,
        scale_reward: bool = False,
        seed: int = 0,
    ) -> None:
        self.alpha, self.gamma, self.lambda_ = alpha, gamma, lambda_
        self.value, self.continuing = value, continuing
        self.initial_value, self.scale_reward = initial_value, scale_reward
        self.policy = EpsilonGreedy(epsilon, np.random.default_rng(seed))
        self._rows = Rows()
        heads = 1 if self.value == "joint" else 2
        self._theta = np.zeros((heads, 0, num_actions))
        self._trace = np.zeros((0, num_actions))
        self._most_active = 1
        self._reward_scale = 0.0
        self._under_way = False
        self._on = np.empty(0, np.int64)  # the rows that are on in s
        self._action = 0  # a
        self._owed: NDArray[np.float64] | None = None  # r⁺ of an end still to be learnt
        self.intrinsic_weight = 1.0

    def q(self, active: ArrayLike) -> NDArray[np.float64]:
        """Q(s, ·), the value that the agent acts on, from the features seen so far."""
        return self._behaviour(self._heads(self._known(active)))

    def q_extrinsic(self, active: ArrayLike) -> NDArray[np.float64]:
        """Q(s, ·) of the rewards alone; with a joint value the same as `q`."""
        head: NDArray[np.float64] = self._heads(self._known(active))[EXTRINSIC]
        return head

    def start(self, active: ArrayLike) -> int:
        """An episode starts with the features `active`; returns the first action."""
        on = self._enter(active)
        q = self._heads(on)
        action = self.policy.choose(self._behaviour(q))
        if self._owed is not None:
            # The game is over, the curiosity is not: only the intrinsic head looks ahead.
            self._update(self._owed, np.array([0.0, q[INTRINSIC, action]]))
            self._owed = None
        self._trace[:] = 0.0
        self._under_way = True
        return self._take(on, action)

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""
        r_plus = self._r_plus(reward, bonus)
        on = self._enter(active)
        q = self._heads(on)
        action = self.policy.choose(self._behaviour(q))
        self._update(r_plus, q[:, action])
        return self._take(on, action)

    def end(self, reward: float, bonus: float = 0.0) -> None:
        """The last action ended the episode, with this reward and bonus."""
        r_plus = self._r_plus(reward, bonus)
        if self.continuing:
            self._owed = r_plus  # learnt at the next start, whose value it needs
        else:
            self._update(r_plus, np.zeros_like(r_plus))
        self._under_way = False

    def _behaviour(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        """What is acted on: the heads added up, the intrinsic one times its weight."""
        total: NDArray[np.float64] = q[EXTRINSIC].copy()
        return total + self.intrinsic_weight * q[INTRINSIC] if self.value == "split" else total

    def _update(self, r_plus: NDArray[np.float64], next_q: NDArray[np.float64]) -> None:
        """δ = r⁺ + γQ(s′, a′) − Q(s, a);  θ += α δ e, for each head."""
        delta = r_plus + self.gamma * next_q - self._heads(self._on)[:, self._action]
        step = self.alpha / self._most_active
        self._theta += step * delta[:, None, None] * self._trace

    def _take(self, on: NDArray[np.int64], action: int) -> int:
        """In s = `on`, a = `action` is chosen: traces decay, active ones of a are set to 1."""
        self._trace *= self.gamma * self.lambda_
        self._trace[on, action] = 1.0
        self._on, self._action = on, action
        return action

    def _enter(self, active: ArrayLike) -> NDArray[np.int64]:
        """The rows of `active`, the state that the agent is in now."""
        on = self.see(active)
        self._most_active = max(self._most_active, on.size)
        return on

    def see(self, active: ArrayLike) -> NDArray[np.int64]:
        """The rows of `active`, with starting weights for those never seen before."""
        ids = arguments.feature_ids("active", active)
        known = len(self._rows)
        on = self._rows.of(ids)
        self._theta = grown(self._theta, len(self._rows), axis=1)
        self._trace = grown(self._trace, len(self._rows))
        if len(self._rows) > known:
            self._theta[INTRINSIC, known : len(self._rows)] = self.initial_value / on.size
        return on

    def _heads(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Q_h(s, ·) for each head h."""
        sums: NDArray[np.float64] = self._theta[:, rows].sum(axis=1)
        return sums

    def _known(self, active: ArrayLike) -> NDArray[np.int64]:
        return self._rows.known(arguments.feature_ids("active", active))

    def _r_plus(self, reward: float, bonus: float) -> NDArray[np.float64]:
        """r⁺ = r + bonus for a joint value, (r, bonus) for a split one."""
        if not self._under_way:
            raise RuntimeError("no episode is under way: call start first")
        r = arguments.number("reward", reward)
        b = arguments.number("bonus", bonus)
        if self.scale_reward:
            self._reward_scale = self._reward_scale or abs(r)
            r = r / self._reward_scale if self._reward_scale else 0.0
        return np.array([r + b] if self.value == "joint" else [r, b])


def grown(array: NDArray[Any], num_rows: int, axis: int = 0) -> NDArray[Any]:
    """`array` with room for `num_rows` along `axis`: doubled and zero-filled when too small."""
    missing = num_rows - array.shape[axis]
    if missing <= 0:
        return array
    shape = list(array.shape)
    shape[axis] = max(missing, array.shape[axis], 8)
    return np.concatenate([array, np.zeros(shape, array.dtype)], axis=axis)


def grey_picture(
    screen: Sequence[Sequence[int]], luminance: Sequence[int], shape: Pair, levels: int
) -> list[list[int]]:
    """⌊levels·mean/256⌋ for each part of the screen, every pixel by its share inside."""
    height, width = len(screen), len(screen[0])
    rows = [_shares(i, shape[0], height) for i in range(shape[0])]
    columns = [_shares(j, shape[1], width) for j in range(shape[1])]
    area = Fraction(height, shape[0]) * Fraction(width, shape[1])

    def level(i: int, j: int) -> int:
        inside = ((y, x) for y in rows[i] for x in columns[j])
        total = sum(rows[i][y] * columns[j][x] * luminance[screen[y][x]] for y, x in inside)
        return math.floor(levels * total / area / 256)

    return [[level(i, j) for j in range(shape[1])] for i in range(shape[0])]


def _shares(part: int, num_parts: int, num_pixels: int) -> dict[int, Fraction]:
    """How much of each pixel lies in a part of a line of pixels."""
    start, end = (Fraction(k * num_pixels, num_parts) for k in (part, part + 1))
    inside = {x: min(end, Fraction(x + 1)) - max(start, Fraction(x)) for x in range(num_pixels)}
    return {x: share for x, share in inside.items() if share > 0}


def visit_bonuses(beta: float, keys: Sequence[Any]) -> list[float]:
    """β/√N of each key, N how often it is in the list up to here."""
    return [beta / math.sqrt(list(keys[: t + 1]).count(key)) for t, key in enumerate(keys)]


def mean_bins(
    screen: NDArray[np.uint8], colours: NDArray[np.int64], cell: int, bins: int
) -> list[int]:
    """⌊bins·mean/255⌋ of red, green and blue in every cell, in exact fractions."""
    values = []
    for top in range(0, screen.shape[0], cell):
        for left in range(0, screen.shape[1], cell):
            inside = colours[screen[top : top + cell, left : left + cell].ravel()]
            means = [Fraction(sum(channel), len(inside)) for channel in inside.T.tolist()]
            values += [math.floor(bins * mean / 255) for mean in means]
    return values


def simhash_bits(rows: Sequence[Sequence[float]], vector: Sequence[float]) -> list[bool]:
    """sign(A·g), row by row."""
    products = [[a * g for a, g in zip(row, vector, strict=True)] for row in rows]
    return [functools.reduce(operator.add, terms, 0.0) > 0.0 for terms in products]


def scattered(ids: Sequence[int], seed: int, size: int) -> list[float]:
    """σ, with hashes in Python's whole numbers."""
    vector = [0.0] * size
    start = splitmix64((seed + 0x9E3779B97F4A7C15) % 2**64)
    for i in ids:
        word = splitmix64((i + start) % 2**64)
        vector[word % size] += 1 if word >= 2**63 else -1
    return [total / math.sqrt(len(ids) or 1) for total in vector]


def splitmix64(word: int) -> int:
    """The last step of splitmix64 (Steele, Lea & Flood 2014)."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % 2**64
    return word ^ (word >> 31)


class PredictionError:
    """MP-EB with matrices: predicts, learns, and keeps every error."""

    def __init__(self, num_actions: int, size: int, rate: float, seed: int) -> None:
        self.models = [np.zeros((size, size)) for _ in range(num_actions)]
        self.size, self.rate, self.seed = size, rate, seed
        self.errors: list[float] = []
        self.before: NDArray[np.float64] | None = None

    def observe(self, ids: Sequence[int], action: int | None) -> float | None:
        """E over the largest so far; None where nothing was predicted."""
        before, after = self.before, np.array(scattered(ids, self.seed, self.size))
        self.before = after
        if before is None or action is None:
            return None
        error = after - self.models[action] @ before
        if before @ before > 0:
            self.models[action] += self.rate * np.outer(error, before) / (before @ before)
        self.errors.append(float(error @ error))
        return self.errors[-1] / (max(self.errors) or 1.0)
