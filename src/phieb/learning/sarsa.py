"""Sarsa(λ) with linear values and replacing traces: the paper's RL method (§5.1)."""

from collections.abc import Mapping
from typing import Any, Literal, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.kernels.linear.sarsa import DIVERGED, SARSA, Agent, Tables, end, learn, start
from phieb.kernels.numba_support.held import Held, hold
from phieb.learning.agent import AGENTS, Actions, LinearAgent, Weights
from phieb.learning.dial import Dial
from phieb.learning.policy import EpsilonGreedy
from phieb.learning.value import LinearValue
from phieb.sparse.active_set import ActiveSet

# The array "memory" of a saved run, whose format is fixed: most_active, reward_scale, end_pending,
# q_taken and pending_r_plus (two heads each), intrinsic_weight of `Agent`. This is a new agent's.
_NEW_MEMORY = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
EXTRINSIC = 0  # the head of the rewards; with one joint head the only one


class DivergedError(ArithmeticError):
    """The weights have diverged."""


@AGENTS.declare("sarsa", label="Sarsa", citation="Rummery & Niranjan 1994")
class SarsaLambda(LinearAgent):
    """Sarsa(λ) with replacing traces and linear values.

    Q(s, a) = Σ_{i on in s} θ_{i,a}, learnt from r⁺ = r + bonus.

    The step size is α over the largest number of active features so far. The cost of a step depends
    on how many features switch on or off, not on how many have ever been seen.

    Args:
        actions: a Gymnasium `Discrete` space, or the number of actions.
        alpha: α, the step size before that division.
        gamma: γ, the discount.
        lambda_: λ; traces decay by γλ per decision.
        epsilon: ε of the ε-greedy policy.
        value: "joint" learns one value function of r⁺, as the paper does; "split" learns the values
            of r and of the bonus separately, with shared traces. Both choose the same actions.
        continuing: with "split", whether the value of the bonus bootstraps past the end of an
            episode from the first state of the next.
        initial_value: the initial value of a state of new features: each of their weights starts at
            this over the number of active features. In the authors' program `PhiBonus.largest`.
        scale_reward: divide rewards by the size of the first non-zero one, as in Atari.
        precision: of weights and traces, "double" or "single"; single takes half the memory.
        seed: of the random numbers that break ties and explore.
        active_set: one shared with a density; by default the agent has its own.
        dial: chooses the weight of the intrinsic value for each episode; by default it is 1.

    Example:
        >>> agent = SarsaLambda(actions=2, seed=0)
        >>> action = agent.start([0])
        >>> action = agent.learn([1], 1.0, 0.05)  # reward, bonus
        >>> agent.end(0.0)
    """

    rule = SARSA

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
        active_set: ActiveSet | None = None,
        dial: Dial | None = None,
    ) -> None:
        self._actions = Actions(actions)
        self._set(alpha, gamma, lambda_, value, continuing, initial_value, scale_reward)
        self.policy = EpsilonGreedy(epsilon, arguments.generator("seed", seed))
        self.active_set = ActiveSet() if active_set is None else active_set
        decay, num_actions = self.gamma * self.lambda_, self._actions.count
        self.linear = LinearValue(self.active_set, self.num_heads, num_actions, decay, precision)
        self._dial, self._under_way = dial, False
        self.remembered = self._agent_from(_NEW_MEMORY)
        self._tables: Tables | None = None
        self._held = cast(Held, None)  # set by the first decision

    def q(self, active: ArrayLike) -> NDArray[np.float64]:
        """(action,): Q(s, ·), the behaviour values; features never seen count 0."""
        return self.behaviour(self._heads(active))

    def behaviour(self, heads: NDArray[np.float64]) -> NDArray[np.float64]:
        """(action,): the values that actions are chosen by, extrinsic + weight · intrinsic."""
        extrinsic: NDArray[np.float64] = heads[EXTRINSIC]
        return extrinsic + self.intrinsic_weight * heads[1] if len(heads) > 1 else extrinsic

    @property
    def intrinsic_weight(self) -> float:
        """The weight of the intrinsic value in the choice of actions; 1 unless set."""
        return self.remembered.intrinsic_weight.item()

    @intrinsic_weight.setter
    def intrinsic_weight(self, weight: float) -> None:
        self.remembered.intrinsic_weight[0] = arguments.number("intrinsic_weight", weight, low=0.0)

    def q_extrinsic(self, active: ArrayLike) -> NDArray[np.float64]:
        """(action,): Q(s, ·) of the rewards alone; with a joint value the same as `q`."""
        head: NDArray[np.float64] = self._heads(active)[EXTRINSIC]
        return head

    def weights(self) -> Weights:
        """Everything that `q` and `q_extrinsic` depend on, once training is over."""
        heads = self.linear.weights()
        ids = self.active_set.rows.ids()
        return Weights(ids, self.behaviour(heads), heads[EXTRINSIC])

    def act(self, active: ArrayLike, *, extrinsic: bool = False) -> int:
        """An ε-greedy action with respect to `q` or `q_extrinsic`, without learning."""
        q = self.q_extrinsic(active) if extrinsic else self.q(active)
        return self._actions.first + self.policy.choose(q)

    def start(self, active: ArrayLike) -> int:
        """Start an episode in the state with the features `active`; returns the first action."""
        ids = arguments.feature_ids("active", active)
        self.ensure_capacity(ids.size)
        self._under_way = True
        return self.checked(start(ids, self._hold()))

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""
        outcome = self._outcome(reward, bonus)
        ids = arguments.feature_ids("active", active)
        self.ensure_capacity(ids.size)
        return self.checked(learn(ids, *outcome, self._hold()))

    def end(self, reward: float, bonus: float = 0.0) -> None:
        """The last action ended the episode, with this reward and bonus."""
        outcome = self._outcome(reward, bonus)
        self.ensure_capacity(0)
        end(*outcome, self._hold())
        self._under_way = False

    def episode_over(self, score: float) -> None:
        """An episode ended or was cut, with this score: choose the weight for the next."""
        if self._dial is not None:
            self._dial.end(score)
            self.intrinsic_weight = self._dial.weight

    def freeze(self) -> None:
        """From now on, use the weight with the best mean score."""
        if self._dial is not None:
            self.intrinsic_weight = self._dial.best

    def is_sound(self) -> bool:
        """Whether all weights are finite and below 1e9 in size."""
        return self.linear.is_sound()

    @property
    def num_observed(self) -> int:
        """The number of features that have been active at least once."""
        return len(self.active_set.rows)

    def ensure_capacity(self, num_ids: int) -> None:
        """Grow the tables if one more decision, with so many features, does not fit."""
        self.policy.refill()
        self.active_set.ensure_capacity(num_ids)
        self.linear.ensure_capacity()

    def tables(self) -> Tables:
        """The arrays that the kernels read and write."""
        rows, active_set = self.active_set.rows.table, self.active_set.tables
        return Tables(rows, active_set, self.linear.tables, self.remembered)

    def _hold(self) -> Held:
        """The held tables; held again if one was replaced by a larger one."""
        tables = self.tables()
        if self._tables is None or any(
            a is not b for a, b in zip(tables, self._tables, strict=True)
        ):
            self._tables, self._held = tables, hold(tables)
        return self._held

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, and the random stream, as arrays for `restore`."""
        agent = self.remembered
        memory = (
            agent.most_active,
            agent.reward_scale,
            agent.end_pending,
            agent.q_taken,
            agent.pending_r_plus,
            agent.intrinsic_weight,
        )
        return {
            **self.active_set.state(),
            **self.linear.state(),
            **self.policy.state(),
            **({} if self._dial is None else self._dial.state()),
            "memory": np.concatenate(memory).astype(np.float64),
            "under_way": np.array([self._under_way]),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the `state` of an agent with the same settings, bit for bit."""
        memory = arguments.array_part("state", state, "memory", np.float64, _NEW_MEMORY.shape)
        under_way = bool(np.asarray(arguments.part("state", state, "under_way")).item())
        active_set = ActiveSet()
        active_set.restore(state)
        tables = self.linear.read(state, active_set)
        if self._dial is not None:
            self._dial.restore(state)
        self.policy.restore(state)  # the last part that can be refused
        self.active_set.restore(state)
        self.linear.tables = tables
        self.remembered, self._under_way = self._agent_from(memory), under_way

    def _agent_from(self, memory: NDArray[np.float64]) -> Agent:
        """Settings and memory for the kernels, from the array "memory" of a saved run."""
        most_active, reward_scale, end_pending, q_taken, r_plus, weight = np.split(
            memory, [1, 2, 3, 5, 7]
        )
        return Agent(
            rule=self.rule,
            alpha=self.alpha,
            gamma=self.gamma,
            epsilon=self.policy.epsilon,
            initial_value=self.initial_value,
            continuing=self.continuing,
            scale_reward=self.scale_reward,
            most_active=most_active.astype(np.int64),
            reward_scale=reward_scale.copy(),
            intrinsic_weight=weight.copy(),
            q_taken=q_taken.copy(),
            end_pending=end_pending.astype(np.bool_),
            pending_r_plus=r_plus.copy(),
            numbers=self.policy.numbers,
            position=self.policy.position,
        )

    def _heads(self, active: ArrayLike) -> NDArray[np.float64]:
        """(head, action): Q_h(s, ·)."""
        return self.linear.of(arguments.feature_ids("active", active))

    def _outcome(self, reward: float, bonus: float) -> tuple[float, float]:
        if not self._under_way:
            raise RuntimeError("no episode is under way: call start first")
        return arguments.number("reward", reward), arguments.number("bonus", bonus)

    def checked(self, action: int) -> int:
        """The environment's number of an action that a kernel returned.

        Raises:
            DivergedError: the kernel found values that are too large.
        """
        if action == DIVERGED:
            raise DivergedError("action values are not finite numbers below 1e9 in size")
        return self._actions.first + action
