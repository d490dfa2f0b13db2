"""An agent and its bonus: Algorithm 1 between a screen and the next action."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import BlobProst
from phieb.kernels.linear import sarsa
from phieb.kernels.numba_support.held import hold
from phieb.kernels.numba_support.jit import straight
from phieb.learning import SarsaLambda
from phieb.learning.dial import Dial
from phieb.novelty import Bonus

BonusFor = Literal["arrival", "departure"]
_PREFIX = "bonus."  # of what a bonus saves, beside what the agent does


class Sees(Protocol):
    """What a bonus that does not look at the agent's features makes of a screen."""

    def active(self, observation: NDArray[np.uint8], /) -> Any:
        """What the bonus observes."""


class Explorer:
    """Sarsa(λ), told at every decision how new the state is; or not, with ε-greedy alone.

    Ids and screens are not checked: they come from a feature map and from the emulator. Rewards are
    floats.

    Args:
        agent: learns and chooses.
        bonus: how new a state is; None for ε-greedy alone.
        sees: what the bonus observes of a screen; None if it observes the agent's features.
        bonus_for: reward an action with the bonus of the state it led to (as in the paper), or of
            the state it was taken in (as in the authors' program).
        dial: chooses the weight of the intrinsic value for every episode; None: it is always 1.
    """

    main_kernel = "learn_screen"  # what a decision is spent in
    kernels: Any = sarsa  # `phieb bench` puts those with a clock in their place

    def __init__(
        self,
        agent: SarsaLambda,
        bonus: Bonus | None,
        sees: Sees | None = None,
        bonus_for: BonusFor = "arrival",
        dial: Dial | None = None,
    ) -> None:
        self.agent, self.bonus, self._sees, self._dial = agent, bonus, sees, dial
        words = ("arrival", "departure")
        self._on_arrival = arguments.one_of("bonus_for", bonus_for, words) == "arrival"
        self._memory = np.zeros(2)
        self._action: int | None = None
        self._main: Any = None  # the kernel that a decision is spent in, once it is known of what
        self._make_room(0)

    @property
    def pseudocount(self) -> float:
        """N̂ of the last state, or what the bonus has in its place; 0 without a bonus."""
        return self._memory.item(sarsa.PSEUDOCOUNT)

    @property
    def num_active(self) -> int:
        """How many features are on."""
        return len(self.agent.active_set)

    @property
    def num_observed(self) -> int:
        """How many features have been on at least once."""
        return len(self.agent.active_set.rows)

    def start(self, ids: NDArray[np.int64], screen: NDArray[np.uint8] | None = None) -> int:
        """An episode starts with the features `ids`, on `screen`; returns the first action."""
        self._action = None
        if self.bonus is not None:
            self.bonus.reset()
        self.observe(ids, screen)
        self._ensure_room(ids.size)
        return self._took(self.kernels.start(ids, *self._tables))

    def learn(
        self, ids: NDArray[np.int64], reward: float, screen: NDArray[np.uint8] | None = None
    ) -> tuple[int, float]:
        """The last action led to `ids`, with this reward; returns the next action and the bonus."""
        bonus = self.observe(ids, screen)
        self._ensure_room(ids.size)
        return self._took(self.kernels.learn(ids, reward, bonus, *self._tables)), bonus

    def learn_screen(
        self, features: BlobProst, screen: NDArray[np.uint8], reward: float
    ) -> tuple[int, float, int]:
        """`learn` from a screen, in one call; also returns how many features are on."""
        if self.bonus is not None and self._sees is None:
            ids = features.active(screen)
            return *self.learn(ids, reward), ids.size
        bonus = self.observe(None, screen)
        self._ensure_room(features.room)
        learnt = screen, reward, bonus, features.next_turn(), self._held
        if self._main is None:
            self._main = straight(self.kernels.learn_screen, *learnt)
        action, count = self._main(*learnt)
        if action == sarsa.TOO_MANY:
            ids = features.write_again(count)
            self._ensure_room(count)
            action = self.kernels.learn(ids, reward, bonus, *self._tables)
        return self._took(action), bonus, count

    def end(
        self, ids: NDArray[np.int64], reward: float, screen: NDArray[np.uint8] | None = None
    ) -> float:
        """The last action led to `ids` and ended the episode; returns the bonus."""
        bonus = self.observe(ids, screen)
        self._ensure_room(ids.size)
        self.kernels.end(reward, bonus, *self._tables[2:])
        return bonus

    def game_over(self, score: float) -> None:
        """A game is over, ended or cut, with this score: turn the dial for the next."""
        if self._dial is not None:
            self._dial.end(score)
            self.agent.intrinsic_weight = self._dial.weight

    def freeze(self) -> None:
        """Act as scored best so far."""
        if self._dial is not None:
            self.agent.intrinsic_weight = self._dial.best

    def observe(self, ids: NDArray[np.int64] | None, screen: NDArray[np.uint8] | None) -> float:
        """Tell the bonus of a state; returns the bonus of the action taken."""
        if self.bonus is None:
            return 0.0
        memory, seen = self._memory, ids
        if self._sees is not None and screen is not None:
            seen = self._sees.active(screen)
        left = float(memory[sarsa.BONUS])
        memory[sarsa.BONUS] = self.bonus.observe(seen, self._action)
        memory[sarsa.PSEUDOCOUNT] = self.bonus.pseudocount
        return float(memory[sarsa.BONUS]) if self._on_arrival else left

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt and the random stream, as arrays, for `restore`."""
        counted = {f"{_PREFIX}{name}": array for name, array in self._counted().items()}
        action = np.array([-1 if self._action is None else self._action])
        dial = {} if self._dial is None else self._dial.state()
        memory = {"novelty": self._memory.copy(), "action": action}
        return {**self.agent.state(), **counted, **dial, **memory}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` of an explorer with the same settings returned, to the bit."""
        novelty = np.asarray(arguments.part("state", state, "novelty"))
        if novelty.shape != (2,) or novelty.dtype != np.float64:
            raise ValueError("state['novelty'] must be two numbers")
        action = int(np.asarray(arguments.part("state", state, "action")).item())
        self._restore_counted(
            {name.removeprefix(_PREFIX): state[name] for name in state if name.startswith(_PREFIX)}
        )
        self.agent.restore(state)
        if self._dial is not None:
            self._dial.restore(state)
        self._memory[:] = novelty
        self._action = None if action < 0 else action
        self._make_room(0)

    def _counted(self) -> Mapping[str, NDArray[Any]]:
        return {} if self.bonus is None else self.bonus.state()

    def _restore_counted(self, state: Mapping[str, NDArray[Any]]) -> None:
        if self.bonus is not None:
            self.bonus.restore(state)

    def _took(self, action: int) -> int:
        self._action = self.agent.checked(action)
        return self._action

    def _ensure_room(self, num_ids: int) -> None:
        """Room for one more decision, of so many features; mostly there is."""
        self.agent.policy.make_room()
        most_rows = self._num_rows.item() + num_ids
        if self._updates_left == 0 or num_ids > self._most_ids or most_rows > self._most_rows:
            self._make_room(num_ids)
        self._updates_left -= 1

    def _make_room(self, num_ids: int) -> None:
        """Room for more, and the arrays to hand over, which may be others than before."""
        agent, active_set = self.agent, self.agent.active_set
        agent.make_room(num_ids)
        self._tables = self._all_tables()
        self._held = hold(self._tables)
        self._num_rows, self._most_rows = active_set.rows.table.size, active_set.rows.capacity
        self._most_ids = active_set.tables.entered.size
        self._updates_left = agent.linear.updates_left

    def _all_tables(self) -> tuple[tuple[Any, ...], ...]:
        """What the kernels work on."""
        return self.agent.tables()
