"""DQN (Mnih et al. 2015) and Double DQN (van Hasselt, Guez & Silver 2016)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3 import DQN
from stable_baselines3.common.utils import polyak_update
from torch.nn import functional

from phieb import arguments
from phieb.deep import arrays
from phieb.deep.agent import DeepAgent, batch_of_one
from phieb.deep.replay import PictureReplay
from phieb.deep.settings import settings_from
from phieb.learning.policy import EpsilonGreedy


@dataclass(frozen=True)
class ReplaySettings:
    """Settings of agents that learn from a replay buffer; times are in decisions.

    Attributes:
        buffer_size: transitions that are kept.
        learning_starts: decisions before the first update.
        train_every: decisions from one update to the next.
        target_every: decisions after which the target network is replaced.
        epsilon_decisions: in which ε falls from 1 to the setting of the run.
        batch_size: transitions in an update.
        learning_rate: of Adam.
    """

    buffer_size: int = 100_000
    learning_starts: int = 1_000
    train_every: int = 4
    target_every: int = 1_000
    epsilon_decisions: int = 250_000
    batch_size: int = 32
    learning_rate: float = 1e-4


class Dqn(DeepAgent):
    """DQN: `stable_baselines3.DQN`, whose `train()` is called with our own replay buffer.

    Args:
        observation_space: of the world.
        actions: the space of its actions.
        game: its name.
        gamma: γ, the discount.
        epsilon: ε of the policy, once it has fallen to it.
        seed: of all random numbers.
        agent_args: fields of `ReplaySettings`.
    """

    kind: type[DQN] = DQN
    policy: Any = "CnnPolicy"
    replay_kind = PictureReplay
    settings_kind: type[ReplaySettings] = ReplaySettings

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        actions: spaces.Discrete,
        game: str,
        gamma: float,
        epsilon: float,
        seed: int,
        agent_args: Mapping[str, Any],
    ) -> None:
        super().__init__(observation_space, actions, game, seed)
        self.settings = settings = settings_from(self.settings_kind, agent_args)
        self.algorithm = self._made(
            self.kind,
            self.policy,
            gamma=gamma,
            learning_rate=settings.learning_rate,
            buffer_size=settings.buffer_size,
            replay_buffer_class=self.replay_kind,
        )
        self.replay = self.algorithm.replay_buffer
        self.epsilon = epsilon
        self.explore = EpsilonGreedy(1.0, np.random.default_rng(seed))
        self._action: int | None = None
        self._set_up()

    def _set_up(self) -> None:
        """Give the algorithm what agents of other kinds add to the settings."""

    def start(self, active: Any, /) -> int:
        """Start an episode; returns the first action."""
        if self._action is not None:
            self.replay.cut(float(self.q(self._before).max()))
        self.replay.start(active[-1])
        return self._act(active)

    def learn(self, active: Any, reward: float, bonus: float = 0.0, /) -> int:
        """The last action led to these pictures; returns the next action."""
        self.replay.step(self._action, self.learnt_from(reward, bonus), active[-1])
        self._train()
        return self._act(active)

    def end(self, reward: float, bonus: float = 0.0, /) -> None:
        """The last action ended the episode."""
        self.replay.end(self._action, self.learnt_from(reward, bonus))
        self._action = None
        self._train()

    def q(self, active: Any) -> NDArray[np.float64]:
        """(action,): Q(s, ·)."""
        with torch.no_grad():
            values: NDArray[np.float64] = self._values(batch_of_one(active))[0].double().numpy()
        return values

    def freeze(self) -> None:
        """Training is over: the replay buffer is not needed any more."""
        self.replay = self.algorithm.replay_buffer = None

    def _values(self, observations: torch.Tensor) -> torch.Tensor:
        """(batch, action): Q."""
        values: torch.Tensor = self.algorithm.q_net(observations)
        return values

    def _act(self, seen: NDArray[np.uint8]) -> int:
        """ε falls linearly, from 1."""
        passed = min(self.decisions / self.settings.epsilon_decisions, 1.0)
        self.explore.epsilon = 1.0 + passed * (self.epsilon - 1.0)
        self._action, self._before = self.explore.choose(self.q(seen)), seen
        return self.actions.first + self._action

    def _train(self) -> None:
        """What the library does after a decision: an update, or a new target network."""
        self.decisions += 1
        settings = self.settings
        due = self.decisions % settings.train_every == 0
        if due and self.decisions >= settings.learning_starts and self.replay.sampled_from().size:
            self._update()
        if self.decisions % settings.target_every == 0:
            nets = self.algorithm.q_net, self.algorithm.q_net_target
            polyak_update(nets[0].parameters(), nets[1].parameters(), 1.0)

    def _update(self) -> None:
        with self.random.used():
            self.algorithm.train(1, self.settings.batch_size)
        self.algorithm.policy.set_training_mode(False)

    def _more_state(self) -> dict[str, NDArray[Any]]:
        return {
            "action": np.array([-1 if self._action is None else self._action]),
            **arrays.prefixed("explore", self.explore.state()),
            **arrays.prefixed("replay", self.replay.state()),
        }

    def _restore_more(self, state: Mapping[str, NDArray[Any]]) -> None:
        action = arguments.array_part("state", state, "action", np.int64, (1,)).item()
        self.explore.restore(arrays.under("explore", state))
        self.replay.restore(arrays.under("replay", state))
        stack = arguments.array_part("state", state, "stack", np.uint8, self.sees.stack.shape)
        self._action, self._before = None if action < 0 else action, stack


class DoubleDQN(DQN):  # type: ignore[misc]  # typed only where it is installed
    """DQN with the double target: r + γ Q′(s′, argmax_a Q(s′, a)), with Q′ the target network.

    `train` is that of the library with another target, in the method `targets`.
    """

    def train(self, gradient_steps: int, batch_size: int = 100) -> None:
        """Update on so many batches."""
        self.policy.set_training_mode(True)
        for _ in range(gradient_steps):
            batch = self.replay_buffer.sample(batch_size)
            with torch.no_grad():
                targets = self.targets(batch)
            values = self.q_net(batch.observations).gather(1, batch.actions)
            self._descend(functional.smooth_l1_loss(values, targets))
        self._n_updates += gradient_steps

    def targets(self, batch: Any) -> torch.Tensor:
        """(batch, 1): what Q(s, a) is to become."""
        best = self.q_net(batch.next_observations).argmax(dim=1, keepdim=True)
        after = self.q_net_target(batch.next_observations).gather(1, best)
        return batch.rewards + self.gamma * (1.0 - batch.dones) * after

    def _descend(self, loss: torch.Tensor) -> None:
        self.policy.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        self.policy.optimizer.step()


class Ddqn(Dqn):
    """Double DQN: `Dqn` with `DoubleDQN`."""

    kind = DoubleDQN
