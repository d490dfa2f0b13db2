"""Gorila (Nair et al. 2015): DQN with an actor, learners and a parameter server, on Ray Core.

The run itself is the actor. Every `train_every` decisions it takes over the parameters that the
server had last, and hands what it has seen since to the learners. Each learner adds that to its
own replay buffer and sends a gradient to the server, which applies them in order, while the actor
goes on. What is waited for is always the round before: a run depends on its seed alone.
"""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.utils import polyak_update

from phieb import arguments
from phieb.deep import arrays
from phieb.deep.dqn import Dqn, ReplaySettings
from phieb.learning.policy import EpsilonGreedy

Letters = list[tuple[Any, ...]]  # calls of methods of a replay buffer: its name and its arguments
Gradient = list[NDArray[np.float32]] | None


@dataclass(frozen=True)
class GorilaSettings(ReplaySettings):
    """`ReplaySettings`, and how many processes learn.

    Attributes:
        learners: processes with a replay buffer each.
    """

    learners: int = 1


class Mailbox:
    """What a replay buffer would be told, kept for those of the learners."""

    def __init__(self) -> None:
        self.letters: Letters = []

    def start(self, picture: NDArray[np.uint8]) -> None:
        """An episode starts."""
        self.letters.append(("start", picture))

    def step(self, action: int, reward: float, picture: NDArray[np.uint8]) -> None:
        """The last action led to this picture."""
        self.letters.append(("step", action, reward, picture))

    def end(self, action: int, reward: float) -> None:
        """The last action ended the episode."""
        self.letters.append(("end", action, reward))

    def cut(self, value: float) -> None:
        """The episode was cut."""

    def taken(self) -> Letters:
        """All letters; they are not kept."""
        letters, self.letters = self.letters, []
        return letters


class Unmoved(torch.optim.SGD):  # type: ignore[misc]  # typed only where it is installed
    """An optimiser that leaves the gradients to somebody else."""

    def step(self, closure: Any = None) -> None:
        """Do nothing."""


class Learner:
    """A replay buffer and gradients from it, in a process of its own.

    Args:
        settings: what its `Dqn` is made with.
        parameters: the first ones.
    """

    def __init__(self, settings: dict[str, Any], parameters: arrays.Arrays) -> None:
        self.agent = Dqn(**settings)
        net = self.agent.algorithm.q_net
        for one in (net, self.agent.algorithm.q_net_target):
            arrays.into_module(one, parameters)
        self.agent.algorithm.policy.optimizer = Unmoved(net.parameters(), lr=1.0)

    def read(self, letters: Letters) -> None:
        """Add what the actor has seen to the replay buffer."""
        for method, *given in letters:
            getattr(self.agent.replay, method)(*given)

    def gradient(self, parameters: arrays.Arrays, letters: Letters, decisions: int) -> Gradient:
        """The gradient of a batch with these parameters, clipped; None before learning starts."""
        agent, settings = self.agent, self.agent.settings
        self.read(letters)
        algorithm = agent.algorithm
        arrays.into_module(algorithm.q_net, parameters)
        before, agent.decisions = agent.decisions, decisions
        if before // settings.target_every < decisions // settings.target_every:
            polyak_update(algorithm.q_net.parameters(), algorithm.q_net_target.parameters(), 1.0)
        if decisions < settings.learning_starts or not agent.replay.sampled_from().size:
            return None
        with agent.random.used():
            algorithm.train(1, settings.batch_size)
        return [p.grad.numpy().copy() for p in algorithm.q_net.parameters()]

    def state(self) -> arrays.Arrays:
        """Everything, as arrays."""
        return self.agent.state()

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        self.agent.restore(state)


class ParameterServer:
    """The parameters and their optimiser, in a process of its own.

    Args:
        settings: what the `Dqn` is made with whose parameters these are.
        parameters: the first ones.
    """

    def __init__(self, settings: dict[str, Any], parameters: arrays.Arrays) -> None:
        algorithm = Dqn(**settings).algorithm
        self.net, self.optimizer = algorithm.q_net, algorithm.policy.optimizer
        arrays.into_module(self.net, parameters)

    def apply(self, *gradients: Gradient) -> arrays.Arrays:
        """Apply gradients one after another; returns the parameters."""
        for gradient in gradients:
            if gradient is not None:
                for parameter, part in zip(self.net.parameters(), gradient, strict=True):
                    parameter.grad = torch.from_numpy(part.copy())
                self.optimizer.step()
        return arrays.of_module(self.net)

    def state(self) -> arrays.Arrays:
        """Everything, as arrays."""
        return {
            **arrays.prefixed("net", arrays.of_module(self.net)),
            **arrays.prefixed("optimizer", arrays.of_optimizer(self.optimizer)),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        arrays.into_module(self.net, arrays.under("net", state))
        arrays.into_optimizer(self.optimizer, arrays.under("optimizer", state))


class Gorila(Dqn):
    """DQN whose learners and parameter server are processes of Ray; the run is the actor.

    Args:
        observation_space: of the world.
        actions: the space of its actions.
        game: its name.
        gamma: γ, the discount.
        epsilon: ε of the policy, once it has fallen to it.
        seed: of all random numbers.
        agent_args: fields of `GorilaSettings`.
    """

    settings_kind = GorilaSettings
    settings: GorilaSettings

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
        if find_spec("ray") is None:
            raise ValueError('gorila needs ray: pip install "phieb[deep]"')
        own = {name: value for name, value in agent_args.items() if name != "learners"}
        self._of_workers = {
            "observation_space": observation_space,
            "actions": actions,
            "game": game,
            "gamma": gamma,
            "epsilon": epsilon,
            "agent_args": own,
        }
        super().__init__(observation_space, actions, game, gamma, epsilon, seed, agent_args)
        self._seed = seed
        self.replay = self.algorithm.replay_buffer = Mailbox()
        self._learners = list[Any]()
        self._server: Any = None
        self._saved: Mapping[str, NDArray[Any]] = {}
        self._parameters: Any = None  # of the server: where Ray has them once they are there

    def _train(self) -> None:
        """Take over the parameters of the round before, and start another round."""
        self.decisions += 1
        if self.decisions % self.settings.train_every:
            return
        ray = self._started()
        if self._parameters is None:
            self._parameters = ray.put(arrays.of_module(self.algorithm.q_net))
        arrays.into_module(self.algorithm.q_net, ray.get(self._parameters))
        letters = ray.put(self.replay.taken())
        gradients = [
            learner.gradient.remote(self._parameters, letters, self.decisions)
            for learner in self._learners
        ]
        self._parameters = self._server.apply.remote(*gradients)

    def _started(self) -> Any:
        """Ray, with all processes."""
        ray = _ray()
        if self._server is None:
            first = arrays.of_module(self.algorithm.q_net)
            server, learner = (ray.remote(num_cpus=0)(kind) for kind in (ParameterServer, Learner))
            seeds = range(self._seed, self._seed + 1 + self.settings.learners)
            made = [{**self._of_workers, "seed": seed} for seed in seeds]
            self._server = server.remote(made[0], first)
            self._learners = [learner.remote(settings, first) for settings in made[1:]]
            if self._saved:
                for name, worker in self._named():
                    ray.get(worker.restore.remote(arrays.under(name, self._saved)))
                if bool(np.asarray(self._saved["has_parameters"]).item()):
                    self._parameters = self._server.apply.remote()
                self._saved = {}
        return ray

    def _named(self) -> list[tuple[str, Any]]:
        """All processes."""
        learners = [(f"learner{n}", learner) for n, learner in enumerate(self._learners)]
        return [("server", self._server), *learners]

    def _more_state(self) -> dict[str, NDArray[Any]]:
        ray = self._started()
        letters = ray.put(self.replay.taken())
        for learner in self._learners:
            learner.read.remote(letters)
        found = {
            "action": np.array([-1 if self._action is None else self._action]),
            "has_parameters": np.array([self._parameters is not None]),
            **arrays.prefixed("explore", self.explore.state()),
        }
        for name, worker in self._named():
            found |= arrays.prefixed(name, ray.get(worker.state.remote()))
        return found

    def _restore_more(self, state: Mapping[str, NDArray[Any]]) -> None:
        action = arguments.array_part("state", state, "action", np.int64, (1,)).item()
        explore = EpsilonGreedy(1.0, np.random.default_rng(0))
        explore.restore(arrays.under("explore", state))
        names = ["server", *(f"learner{n}" for n in range(self.settings.learners))]
        for name in names:
            if not arrays.under(name, state):
                raise ValueError(f"state lacks {name}")
        arguments.array_part("state", state, "has_parameters", np.bool_, (1,))
        self.explore, self._action = explore, None if action < 0 else action
        self._before = np.array(state["stack"])
        self._saved, self._server = dict(state), None


def _ray() -> Any:
    """Ray on this machine, started for this process if it is not yet."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    if not ray.is_initialized():
        ray.init(log_to_driver=False, logging_level=logging.CRITICAL, include_dashboard=False)
    return ray
