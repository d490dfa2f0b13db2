"""Sarsa(λ) with linear values and replacing traces: the paper's RL method (§5.1)."""

from collections.abc import Mapping
from typing import Any, Literal, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.kernels.linear.sarsa import DIVERGED, SARSA, Agent, Tables, end, learn, start
from phieb.kernels.numba_support.held import Held, hold
from phieb.learning.agent import AGENTS, Actions, LinearAgent
from phieb.learning.dial import Dial
from phieb.learning.policy import EpsilonGreedy
from phieb.learning.value import LinearValue
from phieb.sparse.active_set import ActiveSet

# What a new agent remembers, as it is saved: the most features on, the scale of rewards, whether
# the last end is owed, Q(s, a) and r⁺ of two heads, the weight of the intrinsic value.
_NOTHING = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
EXTRINSIC = 0  # the head of the rewards; with one joint head the only one


class DivergedError(ArithmeticError):
    """The weights have grown beyond all bounds."""


@AGENTS.declare("sarsa", label="Sarsa", citation="Rummery & Niranjan 1994")
class SarsaLambda(LinearAgent):
    """Sarsa(λ) with replacing traces and linear values.

    Q(s, a) = Σ_{i on in s} θ_{i,a}, learnt from r⁺ = r + bonus.

    The step size is α over the largest number of active features seen so far. The cost of a step
    depends on the features that go on or off, not on how many were ever seen.

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
        active_set: one that is shared with others; by default its own.
        dial: chooses the weight of the intrinsic value for every episode; by default it is 1.

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
        self.remembered = self._remember(_NOTHING)
        self._tables: Tables | None = None
        self._held = cast(Held, None)  # with the first decision

    def q(self, active: ArrayLike) -> NDArray[np.float64]:
        """Q(s, ·), the value that the agent acts on, from the features seen so far."""
        return self.behaviour(self._heads(active))

    def behaviour(self, heads: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the agent acts on: Q_h(s, ·) added up, the intrinsic one times its weight."""
        extrinsic: NDArray[np.float64] = heads[EXTRINSIC]
        return extrinsic + self.intrinsic_weight * heads[1] if len(heads) > 1 else extrinsic

    @property
    def intrinsic_weight(self) -> float:
        """How much the value of the bonus weighs in the choice of actions; 1 unless set."""
        return self.remembered.intrinsic_weight.item()

    @intrinsic_weight.setter
    def intrinsic_weight(self, weight: float) -> None:
        self.remembered.intrinsic_weight[0] = arguments.number("intrinsic_weight", weight, low=0.0)

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
        ids = arguments.feature_ids("active", active)
        self.make_room(ids.size)
        self._under_way = True
        return self.checked(start(ids, self._hold()))

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0) -> int:
        """The last action led to `active`, with this reward and bonus; returns the next action."""
        outcome = self._outcome(reward, bonus)
        ids = arguments.feature_ids("active", active)
        self.make_room(ids.size)
        return self.checked(learn(ids, *outcome, self._hold()))

    def end(self, reward: float, bonus: float = 0.0) -> None:
        """The last action ended the episode, with this reward and bonus."""
        outcome = self._outcome(reward, bonus)
        self.make_room(0)
        end(*outcome, self._hold())
        self._under_way = False

    def episode_over(self, score: float) -> None:
        """An episode is over, ended or cut, with this score: turn the dial for the next."""
        if self._dial is not None:
            self._dial.end(score)
            self.intrinsic_weight = self._dial.weight

    def freeze(self) -> None:
        """Act as scored best so far."""
        if self._dial is not None:
            self.intrinsic_weight = self._dial.best

    def is_sound(self) -> bool:
        """Whether all weights are numbers of a sensible size."""
        return self.linear.is_sound()

    @property
    def num_observed(self) -> int:
        """How many features have been on at least once."""
        return len(self.active_set.rows)

    def make_room(self, num_ids: int) -> None:
        """Room for one more decision, with so many features."""
        self.policy.make_room()
        self.active_set.make_room(num_ids)
        self.linear.make_room()

    def tables(self) -> Tables:
        """What the kernels work on."""
        rows, active_set = self.active_set.rows.table, self.active_set.tables
        return Tables(rows, active_set, self.linear.tables, self.remembered)

    def _hold(self) -> Held:
        """The tables, held; anew where one was replaced by a larger one."""
        tables = self.tables()
        if self._tables is None or any(
            a is not b for a, b in zip(tables, self._tables, strict=True)
        ):
            self._tables, self._held = tables, hold(tables)
        return self._held

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt and the random stream, as arrays, for `restore`."""
        kept = self.remembered
        memory = (
            kept.most_active,
            kept.reward_scale,
            kept.owes,
            kept.taken,
            kept.owed,
            kept.intrinsic_weight,
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
        """Continue from what `state` of an agent with the same settings returned, to the bit."""
        memory = arguments.array_part("state", state, "memory", np.float64, _NOTHING.shape)
        under_way = bool(np.asarray(arguments.part("state", state, "under_way")).item())
        active_set = ActiveSet()
        active_set.restore(state)
        tables = self.linear.read(state, active_set)
        if self._dial is not None:
            self._dial.restore(state)
        self.policy.restore(state)  # the last that can be wrong
        self.active_set.restore(state)
        self.linear.tables = tables
        self.remembered, self._under_way = self._remember(memory), under_way

    def _remember(self, memory: NDArray[np.float64]) -> Agent:
        """Settings and what is remembered, for the kernels, from `memory` as it is saved."""
        most_active, reward_scale, owes, taken, owed, weight = np.split(memory, [1, 2, 3, 5, 7])
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
            taken=taken.copy(),
            owes=owes.astype(np.bool_),
            owed=owed.copy(),
            numbers=self.policy.numbers,
            position=self.policy.position,
        )

    def _heads(self, active: ArrayLike) -> NDArray[np.float64]:
        """Q_h(s, ·) for each head h."""
        return self.linear.of(arguments.feature_ids("active", active))

    def _outcome(self, reward: float, bonus: float) -> tuple[float, float]:
        if not self._under_way:
            raise RuntimeError("no episode is under way: call start first")
        return arguments.number("reward", reward), arguments.number("bonus", bonus)

    def checked(self, action: int) -> int:
        """An action as the environment counts them, if a kernel has returned one."""
        if action == DIVERGED:
            raise DivergedError("the values of actions are not finite numbers of a sensible size")
        return self._actions.first + action
