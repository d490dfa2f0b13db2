"""Sarsa(λ) with linear values and replacing traces: the paper's RL method (§5.1)."""

from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.kernels import active as active_kernels
from phieb.kernels import value as value_kernels
from phieb.kernels.active import NUM_ACTIVE
from phieb.learning.agent import Actions
from phieb.learning.policy import EpsilonGreedy
from phieb.rows import Rows

EXTRINSIC, INTRINSIC = 0, -1  # heads of the value; with one joint head both are the same


class SarsaLambda:
    """Q(s, a) = Σ_{i on in s} θ_{i,a}, learnt from r⁺ = r + bonus.

    The step size is α over the largest number of active features seen so far. The cost of a step
    depends on the features that are on, not on how many were ever seen.

    Args:
        actions: a Gymnasium `Discrete` space, or the number of actions.
        alpha: α, the step size before it is divided.
        gamma: γ, the discount.
        lambda_: λ, the decay of traces.
        epsilon: ε of the ε-greedy policy.
        value: "joint" learns r⁺ in one value function, as the paper does; "split" learns r and
            the bonus apart, with shared traces. Both choose the same actions.
        continuing: with "split", the value of the bonus goes on past an episode's end into the
            first state of the next.
        initial_value: each weight of a new feature starts at this over the number of active
            features. The authors' optimistic start is `PhiBonus.largest`.
        scale_reward: divide rewards by the size of the first that is not 0, as in Atari.
        precision: of weights and traces, "double" or "single"; single takes half the memory.
        seed: of the random stream that breaks ties and explores.

    Example:
        >>> agent = SarsaLambda(actions=2, seed=0)
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
        precision: Literal["double", "single"] = "double",
        seed: int | None = None,
    ) -> None:
        self._actions = Actions(actions)
        self.alpha = arguments.number("alpha", alpha, above=0.0, high=1.0)
        self.gamma = arguments.number("gamma", gamma, low=0.0, high=1.0)
        self.lambda_ = arguments.number("lambda_", lambda_, low=0.0, high=1.0)
        self.value = arguments.one_of("value", value, ("joint", "split"))
        self.continuing = arguments.flag("continuing", continuing)
        if self.continuing and self.value == "joint":
            raise ValueError('continuing must be False with value="joint", got True')
        self.initial_value = arguments.number("initial_value", initial_value)
        self.scale_reward = arguments.flag("scale_reward", scale_reward)
        self.policy = EpsilonGreedy(epsilon, arguments.generator("seed", seed))
        arguments.one_of("precision", precision, ("double", "single"))
        dtype = np.float64 if precision == "double" else np.float32
        shape = (1 if self.value == "joint" else 2, self._actions.count)
        self._rows = Rows()
        self._active = active_kernels.new_active(64)
        self._value = value_kernels.new_value(64, 64, 64, shape, dtype)
        self._most_active = 1
        self._reward_scale = 0.0
        self._under_way = False
        self._q_taken = np.zeros(shape[0])  # Q_h(s, a) of the last action
        self._owed: NDArray[np.float64] | None = None  # r⁺ of an end still to be learnt

    def q(self, active: ArrayLike) -> NDArray[np.float64]:
        """Q(s, ·), the value that the agent acts on, from the features seen so far."""
        total: NDArray[np.float64] = self._heads(active).sum(axis=0)
        return total

    def q_extrinsic(self, active: ArrayLike) -> NDArray[np.float64]:
        """Q(s, ·) of the rewards alone; with a joint value the same as `q`."""
        head: NDArray[np.float64] = self._heads(active)[EXTRINSIC]
        return head

    def act(self, active: ArrayLike, *, extrinsic: bool = False) -> int:
        """An ε-greedy action without learning, on `q` or on `q_extrinsic`, as in evaluation."""
        q = self.q_extrinsic(active) if extrinsic else self.q(active)
        return self._actions.first + self.policy.choose(q)

    def start(self, active: ArrayLike) -> int:
        """An episode starts with the features `active`; returns the first action."""
        if self._owed is None:
            self._clear_traces()
        q = self._arrive(active)
        action = self.policy.choose(q.sum(axis=0))
        if self._owed is not None:
            # The game is over, the curiosity is not: only the intrinsic head looks ahead.
            self._update(self._owed, np.array([0.0, q[INTRINSIC, action]]))
            self._owed = None
            self._clear_traces()
        self._under_way = True
        return self._take(action)

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""
        r_plus = self._r_plus(reward, bonus)
        q = self._arrive(active)
        action = self.policy.choose(q.sum(axis=0))
        self._update(r_plus, q[:, action])
        return self._take(action)

    def end(self, reward: float, bonus: float = 0.0) -> None:
        """The last action ended the episode, with this reward and bonus."""
        r_plus = self._r_plus(reward, bonus)
        if self.continuing:
            self._owed = r_plus  # learnt at the next start, whose value it needs
        else:
            self._update(r_plus, np.zeros_like(r_plus))
        self._under_way = False

    def _arrive(self, active: ArrayLike) -> NDArray[np.float64]:
        """The features `active` enter, the others leave; returns Q_h(s′, ·) for each head."""
        known = len(self._rows)
        on = self._rows.of(arguments.feature_ids("active", active))
        self._active = active_kernels.with_room(self._active, len(self._rows))
        self._value = value_kernels.with_room(self._value, len(self._rows), on.size)
        active_kernels.observe(on, self._active)
        initial = self.initial_value / max(on.size, 1)
        value_kernels.exchange(self._active, known, initial, self._decay, self._value)
        self._most_active = max(self._most_active, on.size)
        q: NDArray[np.float64] = value_kernels.action_values(self._num_active, self._value)
        return q

    def _update(self, r_plus: NDArray[np.float64], next_q: NDArray[np.float64]) -> None:
        """δ = r⁺ + γQ(s′, a′) − Q(s, a);  θ += α δ e, for each head."""
        delta = r_plus + self.gamma * next_q - self._q_taken
        steps = self.alpha / self._most_active * delta
        value_kernels.update(self._num_active, steps, self._decay, self._value)

    def _take(self, action: int) -> int:
        """In s, a = `action` is chosen: traces decay, active ones of a are set to 1."""
        value_kernels.take(self._num_active, action, self._decay, self._value, self._q_taken)
        return self._actions.first + action

    def _clear_traces(self) -> None:
        value_kernels.end_episode(self._num_active, self._value)

    def _heads(self, active: ArrayLike) -> NDArray[np.float64]:
        """Q_h(s, ·) for each head h."""
        on = self._rows.known(arguments.feature_ids("active", active))
        q: NDArray[np.float64] = value_kernels.values_of(on, self._active, self._value)
        return q

    @property
    def _decay(self) -> float:
        return self.gamma * self.lambda_

    @property
    def _num_active(self) -> int:
        return int(self._active.sizes[NUM_ACTIVE])

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
