"""What all deep agents have in common."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.logger import Logger

from phieb import arguments
from phieb.deep import arrays
from phieb.deep.own_random import OwnRandom
from phieb.deep.sight import Sight
from phieb.learning.agent import Actions, TrainableAgent


class DeepAgent(TrainableAgent):
    """An agent with the networks and the `train()` of an algorithm of Stable-Baselines3.

    Args:
        observation_space: of the world.
        actions: the space of its actions.
        game: its name.
        seed: of all random numbers.

    Attributes:
        sees: the map from observations to the last four pictures.
        decisions: how many were made.
    """

    algorithm: Any
    sees: Sight
    clips = True  # whether rewards are clipped to [−1, 1]; bonuses are not

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        actions: spaces.Discrete,
        game: str,
        seed: int,
    ) -> None:
        torch.set_num_threads(1)  # the same numbers on every machine with the same processor
        self.sees = Sight(observation_space, game)
        self.actions = Actions(actions)
        self.random = OwnRandom(seed)
        self.decisions = 0

    def _made(self, kind: type[BaseAlgorithm], policy: Any, **settings: Any) -> Any:
        """An algorithm of the library, without an environment."""
        with self.random.used():
            made = kind(policy, None, device="cpu", _init_setup_model=False, **settings)
            made.observation_space = self.sees.space
            made.action_space = spaces.Discrete(self.actions.count)
            made.n_envs = 1
            made.set_logger(Logger(None, []))
            made._setup_model()
        made.policy.set_training_mode(False)
        return made

    def learnt_from(self, reward: float, bonus: float) -> float:
        """r⁺, the reward, clipped if this agent clips, and the bonus."""
        return (min(max(reward, -1.0), 1.0) if self.clips else reward) + bonus

    def is_sound(self) -> bool:
        """Whether all weights are finite; if not, the run stops."""
        return arrays.is_finite(self.algorithm.policy)

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, the random streams and what waits to be learnt, as arrays."""
        return {
            "libraries": arrays.libraries(),
            "counts": np.array([self.decisions, self.algorithm._n_updates]),
            "stack": self.sees.stack.copy(),
            **arrays.prefixed("random", self.random.state()),
            **arrays.prefixed("policy", arrays.of_module(self.algorithm.policy)),
            **arrays.prefixed("optimizer", arrays.of_optimizer(self.algorithm.policy.optimizer)),
            **self._more_state(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from the `state` of an agent with the same settings, bit for bit."""
        arrays.check_libraries(state)
        counts = arguments.array_part("state", state, "counts", np.int64, (2,)).tolist()
        stack = arguments.array_part("state", state, "stack", np.uint8, self.sees.stack.shape)
        arrays.into_module(self.algorithm.policy, arrays.under("policy", state))
        arrays.into_optimizer(self.algorithm.policy.optimizer, arrays.under("optimizer", state))
        self.random.restore(arrays.under("random", state))
        self._restore_more(state)
        self.sees.restore(stack)
        self.decisions, self.algorithm._n_updates = counts

    @abstractmethod
    def _more_state(self) -> dict[str, NDArray[Any]]:
        """What an agent of this kind has beside."""

    @abstractmethod
    def _restore_more(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore it."""


def batch_of_one(seen: NDArray[np.uint8]) -> torch.Tensor:
    """An observation as a network takes it."""
    return torch.from_numpy(seen[None])
