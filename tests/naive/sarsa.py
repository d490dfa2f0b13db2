"""Sarsa(λ) by its update rule: every step updates every weight with a trace."""

from collections.abc import Iterable

import numpy as np

from tests.naive.policy import EpsilonGreedy

EXTRINSIC, INTRINSIC = "extrinsic", "intrinsic"  # heads of a split value
JOINT = "joint"  # the only head otherwise

Weights = dict[int, list[float]]  # θ of every action, by feature


class SarsaLambda:
    """θ and e in dictionaries by feature and action, in double precision."""

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
        self.actions = range(num_actions)
        self.alpha, self.gamma, self.lambda_ = alpha, gamma, lambda_
        self.continuing, self.scale_reward = continuing, scale_reward
        self.initial_value = initial_value
        self.policy = EpsilonGreedy(epsilon, np.random.default_rng(seed))
        self.heads = [JOINT] if value == "joint" else [EXTRINSIC, INTRINSIC]
        self.intrinsic_weight = 1.0
        self.theta: dict[str, Weights] = {h: {} for h in self.heads}
        self.trace: dict[tuple[int, int], float] = {}  # by feature and action
        self.most_active = 1
        self.first_reward = 0.0  # the size of the first non-zero reward
        self.state: list[int] = []  # the features that are on in s
        self.action = 0  # a
        self.owed: dict[str, float] | None = None  # r⁺ of an end that is learnt at the next start

    def head(self, name: str, active: Iterable[int]) -> list[float]:
        """Q_h(s, ·) = Σ_{i on in s} θ_{i,·}; features never seen have no weights."""
        theta = self.theta[name]
        rows = [theta[i] for i in active if i in theta]
        return [sum(row[a] for row in rows) for a in self.actions]

    def q(self, active: Iterable[int]) -> list[float]:
        """The behaviour values: extrinsic + weight · intrinsic."""
        active = list(active)
        if self.heads == [JOINT]:
            return self.head(JOINT, active)
        rewards, bonuses = self.head(EXTRINSIC, active), self.head(INTRINSIC, active)
        return [r + self.intrinsic_weight * b for r, b in zip(rewards, bonuses, strict=True)]

    def q_extrinsic(self, active: Iterable[int]) -> list[float]:
        """Q(s, ·) of the rewards alone; with a joint value the same as `q`."""
        return self.head(self.heads[0], active)

    def see(self, active: Iterable[int]) -> None:
        """Give new features their initial weights, non-zero only in the bonus's head."""
        active = [int(i) for i in active]
        for h in self.heads:
            start = self.initial_value / len(active) if active and h != EXTRINSIC else 0.0
            for i in active:
                self.theta[h].setdefault(i, [start for _ in self.actions])

    def start(self, active: Iterable[int]) -> int:
        """Start an episode in the state with the features `active`; returns the first action."""
        arrived, action = self._arrive(active)
        if self.owed is not None:
            # The intrinsic head bootstraps past the end.
            ahead = {**self._ahead(arrived, action), EXTRINSIC: 0.0}
            self._update(self.owed, ahead)
            self.owed = None
        self.trace = {}
        return self._take(arrived, action)

    def learn(self, active: Iterable[int], reward: float, bonus: float = 0.0) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""
        r_plus = self._r_plus(reward, bonus)
        arrived, action = self._arrive(active)
        cut = self._cuts(arrived, action)
        self._update(r_plus, self._ahead(arrived, action))
        if cut:
            self.trace = {}
        return self._take(arrived, action)

    def end(self, reward: float, bonus: float = 0.0) -> None:
        """The last action ended the episode, with this reward and bonus."""
        r_plus = self._r_plus(reward, bonus)
        if self.continuing:
            self.owed = r_plus
        else:
            self._update(r_plus, dict.fromkeys(self.heads, 0.0))

    def _r_plus(self, reward: float, bonus: float) -> dict[str, float]:
        """r⁺ by head: r + bonus for a joint value, r and bonus for a split one."""
        if self.scale_reward:
            self.first_reward = self.first_reward or abs(reward)
            reward = reward / self.first_reward if self.first_reward else 0.0
        if self.heads == [JOINT]:
            return {JOINT: reward + bonus}
        return {EXTRINSIC: reward, INTRINSIC: bonus}

    def _arrive(self, active: Iterable[int]) -> tuple[list[int], int]:
        """s′ and a′."""
        arrived = [int(i) for i in active]
        self.see(arrived)
        self.most_active = max(self.most_active, len(arrived))
        return arrived, self.policy.choose(self.q(arrived))

    def _value(self, name: str, state: list[int], action: int) -> float:
        """Q_h(s, a)."""
        return sum(self.theta[name][i][action] for i in state)

    def _ahead(self, state: list[int], action: int) -> dict[str, float]:
        """The value that δ bootstraps from, for each head: Q_h(s′, a′)."""
        return {h: self._value(h, state, action) for h in self.heads}

    def _cuts(self, state: list[int], action: int) -> bool:
        """Whether traces end before a′ is taken: never."""
        return False

    def _best(self, state: list[int]) -> list[int]:
        """The greedy actions; values equal up to rounding are tied."""
        q = self.q(state)
        least = max(q) - 1e-10 * max(1.0, max(map(abs, q)))
        return [a for a in self.actions if q[a] >= least]

    def _update(self, r_plus: dict[str, float], ahead: dict[str, float]) -> None:
        """δ = r⁺ + γQ(s′, a′) − Q(s, a), then θ += (α / most active) δ e, for each head."""
        for h in self.heads:
            theta = self.theta[h]
            here = self._value(h, self.state, self.action)
            delta = r_plus[h] + self.gamma * ahead[h] - here
            step = self.alpha / self.most_active * delta
            for (i, a), e in self.trace.items():
                theta[i][a] += step * e

    def _take(self, state: list[int], action: int) -> int:
        """Decay all traces by γλ, then set those of (s, a) = (`state`, `action`) to 1."""
        self.trace = {pair: self.gamma * self.lambda_ * e for pair, e in self.trace.items()}
        for i in state:
            self.trace[i, action] = 1.0
        self.state, self.action = state, action
        return action


class QLambda(SarsaLambda):
    """Watkins's Q(λ): bootstraps from a greedy action, cuts traces at non-greedy ones."""

    def _ahead(self, state: list[int], action: int) -> dict[str, float]:
        if action not in self._best(state):
            q = self.q(state)
            action = q.index(max(q))
        return super()._ahead(state, action)

    def _cuts(self, state: list[int], action: int) -> bool:
        return action not in self._best(state)


class ExpectedSarsaLambda(SarsaLambda):
    """Bootstraps from the expectation over the ε-greedy policy."""

    def _ahead(self, state: list[int], action: int) -> dict[str, float]:
        best, epsilon = self._best(state), self.policy.epsilon
        chances = [
            epsilon / len(self.actions) + (1 - epsilon) / len(best) * (a in best)
            for a in self.actions
        ]
        return {
            h: sum(chances[a] * self._value(h, state, a) for a in self.actions) for h in self.heads
        }


class TrueOnlineSarsaLambda(SarsaLambda):
    """Dutch traces, as in the box of Sutton & Barto (2018, §12.7), for each head."""

    def start(self, active: Iterable[int]) -> int:
        action = super().start(active)
        self.q_old = dict.fromkeys(self.heads, 0.0)
        return action

    def _update(self, r_plus: dict[str, float], ahead: dict[str, float]) -> None:
        step, decay = self.alpha / self.most_active, self.gamma * self.lambda_
        phi = [(i, self.action) for i in self.state]
        dot = sum(self.trace.get(pair, 0.0) for pair in phi)
        self.trace = {pair: decay * e for pair, e in self.trace.items()}
        for pair in phi:
            self.trace[pair] = self.trace.get(pair, 0.0) + 1.0 - step * decay * dot
        for h in self.heads:
            q = self._value(h, self.state, self.action)
            delta = r_plus[h] + self.gamma * ahead[h] - q
            for (i, a), e in self.trace.items():
                self.theta[h][i][a] += step * (delta + q - self.q_old[h]) * e
            for i, a in phi:
                self.theta[h][i][a] -= step * (q - self.q_old[h])
            self.q_old[h] = ahead[h]

    def _take(self, state: list[int], action: int) -> int:
        self.state, self.action = state, action
        return action
