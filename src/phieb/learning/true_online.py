"""True online Sarsa(λ) (van Seijen et al. 2016; Sutton & Barto 2018, §12.7) with linear values."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.kernels.linear.true_online import (
    new_weights,
    set_traces,
    update,
    values_of,
    with_capacity,
)
from phieb.kernels.linear.value import TOO_LARGE
from phieb.learning.agent import AGENTS, Actions, LinearAgent, Weights
from phieb.learning.policy import EpsilonGreedy
from phieb.learning.sarsa import DivergedError
from phieb.sparse.rows import Rows

_ARRAYS = {"q_old": "_q_old", "owed": "_pending_r_plus"}  # saved name: attribute


@AGENTS.declare("true-online-sarsa", label="True-online-Sarsa", citation="van Seijen et al. 2016")
class TrueOnlineSarsaLambda(LinearAgent):
    """True online Sarsa(λ) with dutch traces, equivalent to the online λ-return algorithm.

    Settings are those of `SarsaLambda`. The cost of a step depends on how many features have
    traces, not on how many have ever been seen.

    Args:
        actions: a Gymnasium `Discrete` space, or the number of actions.
        alpha: α, the step size before division by the largest number of active features so far.
        gamma: γ, the discount.
        lambda_: λ, the decay of traces.
        epsilon: ε of the ε-greedy policy.
        value: "joint" or "split".
        continuing: with "split", whether the value of the bonus bootstraps past an episode's end.
        initial_value: the weights of a new feature start at this over the number of active ones.
        scale_reward: divide rewards by the size of the first non-zero one.
        seed: of the random numbers that break ties and explore.

    Example:
        >>> agent = TrueOnlineSarsaLambda(actions=2, seed=0)
        >>> action = agent.start([0])
        >>> action = agent.learn([1], 1.0, 0.05)  # reward, bonus
        >>> agent.end(0.0)
    """

    def __init__(
        self,
        actions: spaces.Space[Any] | int,
        *,
        alpha: float = 0.5,
        gamma: float = 0.99,
        lambda_: float = 0.9,
        epsilon: float = 0.01,
        value: Literal["joint", "split"] = "joint",
        continuing: bool = False,
        initial_value: float = 0.0,
        scale_reward: bool = False,
        seed: int | None = None,
    ) -> None:
        self._actions = Actions(actions)
        self._set(alpha, gamma, lambda_, value, continuing, initial_value, scale_reward)
        self.policy = EpsilonGreedy(epsilon, arguments.generator("seed", seed))
        self._rows = Rows()
        self._weights = new_weights(self.num_heads, self._rows.capacity, self._actions.count)
        self._on, self._action = np.zeros(0, np.int64), 0  # s, a
        self._q_old, self._pending_r_plus = np.zeros(self.num_heads), np.zeros(self.num_heads)
        self._end_pending = self._under_way = False
        self._most_active, self._reward_scale = 1, 0.0

    @property
    def num_observed(self) -> int:
        """The number of features that have been active at least once."""
        return len(self._rows)

    def q(self, active: ArrayLike) -> NDArray[np.float64]:
        """(action,): Q(s, ·), the sum of the heads, which actions are chosen by."""
        behaviour: NDArray[np.float64] = self._known(active).sum(axis=0)
        return behaviour

    def q_extrinsic(self, active: ArrayLike) -> NDArray[np.float64]:
        """(action,): Q(s, ·) of the rewards alone; with a joint value the same as `q`."""
        head: NDArray[np.float64] = self._known(active)[0]
        return head

    def weights(self) -> Weights:
        """Everything that `q` and `q_extrinsic` depend on, once training is over."""
        heads = self._weights.theta[:, : len(self._rows)].copy()
        return Weights(self._rows.ids(), heads.sum(axis=0), heads[0])

    def start(self, active: ArrayLike) -> int:
        """Start an episode in the state with the features `active`; returns the first action."""
        on, q, action = self._next(active)
        if self._end_pending:  # the intrinsic head bootstraps past the end
            self._update(self._pending_r_plus, np.array([0.0, q[-1, action]]))
        self._weights.trace[:], self._weights.is_traced[:] = 0.0, False
        self._weights.num_traced[0], self._q_old[:] = 0, 0.0
        self._end_pending, self._under_way = False, True
        return self._take(on, action)

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""
        r_plus = self._r_plus(reward, bonus)
        on, q, action = self._next(active)
        self._update(r_plus, q[:, action])
        return self._take(on, action)

    def end(self, reward: float, bonus: float = 0.0) -> None:
        """The last action ended the episode, with this reward and bonus."""
        r_plus = self._r_plus(reward, bonus)
        self._under_way = False
        if self.continuing:  # learnt at the next start: it bootstraps from that state
            self._end_pending, self._pending_r_plus = True, r_plus
        else:
            self._update(r_plus, np.zeros(self.num_heads))

    def is_sound(self) -> bool:
        """Whether all weights are finite and below 1e9 in size."""
        return bool((np.abs(self._weights.theta[:, : len(self._rows)]) < TOO_LARGE).all())

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, and the random stream, as arrays for `restore`."""
        rows, weights = len(self._rows), self._weights
        flags = [self._action, self._most_active, self._end_pending, self._under_way]
        return {
            **self.policy.state(),
            "ids": self._rows.ids(),
            "theta": weights.theta[:, :rows].copy(),
            "trace": weights.trace[:rows].copy(),
            "traced": weights.traced[: weights.num_traced[0]].copy(),
            "on": self._on.copy(),
            "flags": np.array(flags, np.int64),
            "reward_scale": np.array([self._reward_scale]),
            **{name: getattr(self, own).copy() for name, own in _ARRAYS.items()},
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the `state` of an agent with the same settings, bit for bit."""
        ids = arguments.feature_ids("state['ids']", arguments.part("state", state, "ids"))
        n, heads, actions = ids.size, self.num_heads, self._actions.count
        shapes = {"theta": (heads, n, actions), "trace": (n, actions), "reward_scale": (1,)}
        shapes |= dict.fromkeys(_ARRAYS, (heads,))
        parts = {
            name: arguments.array_part("state", state, name, np.float64, shape)
            for name, shape in shapes.items()
        }
        limit = max(n, 1)
        on, traced = (
            arguments.feature_ids(f"state['{name}']", arguments.part("state", state, name), limit)
            for name in ("on", "traced")
        )
        flags = arguments.array_part("state", state, "flags", np.int64, (4,)).tolist()
        if not (0 <= flags[0] < actions and flags[1] >= 1):
            raise ValueError("state['flags'] must hold an action and a number of features")
        self.policy.restore(state)  # the last part that can be refused
        self._rows = Rows()
        self._rows.of(ids)
        self._weights = new_weights(heads, self._rows.capacity, actions)
        self._weights.theta[:, :n], self._weights.trace[:n] = parts["theta"], parts["trace"]
        self._weights.traced[: traced.size], self._weights.is_traced[traced] = traced, True
        self._weights.num_traced[0], self._on = traced.size, on
        self._action, self._most_active = flags[0], flags[1]
        self._end_pending, self._under_way = bool(flags[2]), bool(flags[3])
        self._reward_scale = parts["reward_scale"].item()
        self._q_old, self._pending_r_plus = (parts[name].copy() for name in _ARRAYS)

    def _known(self, active: ArrayLike) -> NDArray[np.float64]:
        """(head, action): Q_h(s, ·); features never seen count 0."""
        rows = self._rows.known(arguments.feature_ids("active", active))
        q: NDArray[np.float64] = values_of(rows, self._weights)
        return q

    def _next(self, active: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
        """The active rows (k,) of s′, Q_h(s′, ·) (head, action), and the next action a′."""
        known = len(self._rows)
        on = self._rows.of(arguments.feature_ids("active", active))
        self._weights = with_capacity(self._weights, self._rows.capacity)
        # The head of the bonus, or the only head.
        self._weights.theta[-1, known : len(self._rows)] = self.initial_value / max(on.size, 1)
        self._most_active = max(self._most_active, on.size)
        q: NDArray[np.float64] = values_of(on, self._weights)
        if not (np.abs(q) < TOO_LARGE).all():
            raise DivergedError("action values are not finite numbers below 1e9 in size")
        return on, q, self.policy.choose(q.sum(axis=0))

    def _update(self, r_plus: NDArray[np.float64], next_q: NDArray[np.float64]) -> None:
        """δ = r⁺ + γQ(s′, a′) − Q(s, a), then update e and θ; `next_q` is (head,), Q(s′, a′)."""
        rate = self.alpha / self._most_active
        here: NDArray[np.float64] = values_of(self._on, self._weights)[:, self._action]
        delta, drift = r_plus + self.gamma * next_q - here, here - self._q_old
        set_traces(self._on, self._action, self.gamma * self.lambda_, rate, self._weights)
        update(self._on, self._action, rate * (delta + drift), rate * drift, self._weights)
        self._q_old = next_q.copy()

    def _take(self, on: NDArray[np.int64], action: int) -> int:
        self._on, self._action = on, action
        return self._actions.first + action

    def _r_plus(self, reward: float, bonus: float) -> NDArray[np.float64]:
        """(head,): r⁺ = r + bonus for a joint value, (r, bonus) for a split one."""
        if not self._under_way:
            raise RuntimeError("no episode is under way: call start first")
        r, extra = arguments.number("reward", reward), arguments.number("bonus", bonus)
        if self.scale_reward:
            self._reward_scale = self._reward_scale or abs(r)
            r = r / self._reward_scale if self._reward_scale else 0.0
        return np.array([r + extra] if self.num_heads == 1 else [r, extra])
