"""Agents that learn a policy from what it has just done: A2C, PPO and TRPO."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import TRPO
from stable_baselines3 import A2C, PPO
from stable_baselines3.common.base_class import BaseAlgorithm

from phieb import arguments
from phieb.deep import arrays
from phieb.deep.agent import DeepAgent, batch_of_one
from phieb.deep.settings import settings_from
from phieb.learning.policy import EpsilonGreedy


@dataclass(frozen=True)
class A2CSettings:
    """Settings of A2C, by the names that the library has for them.

    Attributes:
        n_steps: decisions from one update to the next.
        learning_rate: of RMSprop.
        ent_coef: weight of the entropy.
        vf_coef: weight of the loss of the values.
        gae_lambda: λ of the advantages.
        max_grad_norm: gradients are clipped to this norm.
    """

    n_steps: int = 20
    learning_rate: float = 7e-4
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    gae_lambda: float = 1.0
    max_grad_norm: float = 0.5


@dataclass(frozen=True)
class PPOSettings:
    """Settings of PPO, by the names that the library has for them.

    Attributes:
        n_steps: decisions from one update to the next.
        batch_size: of them in a gradient step.
        n_epochs: passes over them.
        learning_rate: of Adam.
        ent_coef: weight of the entropy.
        vf_coef: weight of the loss of the values.
        gae_lambda: λ of the advantages.
        clip_range: how far the ratio of policies may go.
    """

    n_steps: int = 1_024
    batch_size: int = 256
    n_epochs: int = 4
    learning_rate: float = 2.5e-4
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    gae_lambda: float = 0.95
    clip_range: float = 0.1


@dataclass(frozen=True)
class TRPOSettings:
    """Settings of TRPO, by the names that the library has for them.

    Attributes:
        n_steps: decisions from one update to the next.
        batch_size: of them in a gradient step of the values.
        n_critic_updates: passes over them for the values.
        sub_sampling_factor: one in so many is used for the policy.
        cg_max_steps: steps of conjugate gradients.
        target_kl: the largest divergence from the policy before.
        learning_rate: of the values' Adam.
        gae_lambda: λ of the advantages.
    """

    n_steps: int = 1_024
    batch_size: int = 128
    n_critic_updates: int = 4
    sub_sampling_factor: int = 4
    cg_max_steps: int = 10
    target_kl: float = 0.01
    learning_rate: float = 1e-3
    gae_lambda: float = 0.95


class PolicyAgent(DeepAgent):
    """An agent that draws its actions from a policy, and learns from its last `n_steps` of them.

    It does what `collect_rollouts` of the library does with one environment, then calls `train()`.

    Args:
        observation_space: of the world.
        actions: the space of its actions.
        game: its name.
        gamma: γ, the discount.
        seed: of all random numbers.
        agent_args: fields of the settings of this agent.
    """

    kind: type[BaseAlgorithm]
    settings_kind: type[Any]
    is_stochastic = True

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        actions: spaces.Discrete,
        game: str,
        gamma: float,
        seed: int,
        agent_args: Mapping[str, Any],
    ) -> None:
        super().__init__(observation_space, actions, game, seed)
        self.settings = settings_from(self.settings_kind, agent_args)
        settings = asdict(self.settings)
        self.algorithm = self._made(self.kind, "CnnPolicy", gamma=gamma, **settings)
        self.rollout = self.algorithm.rollout_buffer
        self.gamma = gamma
        self._under_way, self._begins = False, True
        self._seen, self._chosen = self.sees.stack.copy(), torch.zeros(3)

    def start(self, active: Any, /) -> int:
        """Start an episode; returns the first action."""
        if self._under_way and self.rollout.pos > 0:  # it was cut: look ahead, as the library does
            self.rollout.rewards[self.rollout.pos - 1] += self.gamma * float(self._chosen[1])
        self._begins = True
        return self._act(active)

    def learn(self, active: Any, reward: float, bonus: float = 0.0, /) -> int:
        """The last action led to these pictures; returns the next action."""
        self._keep(reward, bonus)
        if self.rollout.full:
            with torch.no_grad():
                value = self.algorithm.policy.predict_values(batch_of_one(active))
            self._update(value, ended=False)
        return self._act(active)

    def end(self, reward: float, bonus: float = 0.0, /) -> None:
        """The last action ended the episode."""
        self._keep(reward, bonus)
        self._under_way = False
        if self.rollout.full:
            self._update(torch.zeros(1, 1), ended=True)

    def q(self, active: Any) -> NDArray[np.float64]:
        """(action,): log π(· | s)."""
        with torch.no_grad():
            chosen = self.algorithm.policy.get_distribution(batch_of_one(active)).distribution
        logits: NDArray[np.float64] = chosen.logits[0].double().numpy()
        return logits

    def evaluated_action(self, seen: Any, policy: EpsilonGreedy) -> int:
        """An action drawn from the policy."""
        sums = np.exp(self.q(seen)).cumsum()
        return int(np.searchsorted(sums[:-1], policy.rng.random() * sums[-1], side="right"))

    def _act(self, seen: NDArray[np.uint8]) -> int:
        """Draw an action; remembers it, the value and the log probability."""
        with torch.no_grad(), self.random.used():
            action, value, log_prob = self.algorithm.policy(batch_of_one(seen))
        self._seen, self._under_way = seen, True
        self._chosen = torch.cat([action.float().flatten(), value.flatten(), log_prob.flatten()])
        return self.actions.first + int(action)

    def _keep(self, reward: float, bonus: float) -> None:
        """Add the last decision to those that wait to be learnt from."""
        self.decisions += 1
        action, value, log_prob = self._chosen
        earned = np.array([self.learnt_from(reward, bonus)])
        taken, begins = np.array([int(action)]), np.array([self._begins])
        self.rollout.add(self._seen[None], taken, earned, begins, value[None, None], log_prob[None])
        self._begins = False

    def _update(self, value: torch.Tensor, *, ended: bool) -> None:
        self.rollout.compute_returns_and_advantage(value, np.array([ended]))
        with self.random.used():
            self.algorithm.train()
        self.algorithm.policy.set_training_mode(False)
        self.rollout.reset()

    def _more_state(self) -> dict[str, NDArray[Any]]:
        pos, rollout = self.rollout.pos, self.rollout
        flags = np.array([self._under_way, self._begins])
        return {
            "flags": flags,
            "chosen": self._chosen.numpy().copy(),
            "rollout.pictures": arrays.packed_pictures(rollout.observations[:pos, 0]),
            **{f"rollout.{name}": getattr(rollout, name)[:pos].copy() for name in _COLUMNS},
        }

    def _restore_more(self, state: Mapping[str, NDArray[Any]]) -> None:
        flags = arguments.array_part("state", state, "flags", np.bool_, (2,))
        chosen = arguments.array_part("state", state, "chosen", np.float32, (3,))
        waiting = np.asarray(arguments.part("state", state, "rollout.rewards"))
        packed = arguments.array_part("state", state, "rollout.pictures", np.uint8, (None,))
        pos = arguments.whole("rows that wait", len(waiting), high=self.rollout.buffer_size - 1)
        self.rollout.reset()
        shape = (pos, *self.sees.space.shape)
        self.rollout.observations[:pos, 0] = arrays.unpacked_pictures(packed, shape)
        for name in _COLUMNS:
            mine = getattr(self.rollout, name)
            key, shape = f"rollout.{name}", (pos, *mine.shape[1:])
            mine[:pos] = arguments.array_part("state", state, key, mine.dtype.type, shape)
        self.rollout.pos = pos
        self._under_way, self._begins = flags.tolist()
        self._chosen = torch.from_numpy(chosen.copy())
        self._seen = arguments.array_part(
            "state", state, "stack", np.uint8, self.sees.stack.shape
        ).copy()


_COLUMNS = ("actions", "rewards", "episode_starts", "values", "log_probs")


class A2c(PolicyAgent):
    """`stable_baselines3.A2C` in one environment."""

    kind = A2C
    settings_kind = A2CSettings


class Ppo(PolicyAgent):
    """`stable_baselines3.PPO` in one environment."""

    kind = PPO
    settings_kind = PPOSettings


class Trpo(PolicyAgent):
    """`sb3_contrib.TRPO` in one environment."""

    kind = TRPO
    settings_kind = TRPOSettings
