"""Pop-Art (van Hasselt et al. 2016): targets of any size, normalised as they are learnt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from phieb import arguments
from phieb.deep.dqn import Ddqn, DoubleDQN, ReplaySettings

SMALLEST = 1e-4  # of σ, as in the paper


@dataclass(frozen=True)
class PopArtSettings(ReplaySettings):
    """`ReplaySettings`, and the step size of the moments.

    Attributes:
        moments_step: how much of the moments an update replaces; 1e-3 is new, see the docs.
    """

    moments_step: float = 1e-3


class PopArtDQN(DoubleDQN):
    """Double DQN whose networks predict (Q − μ)/σ.

    μ and σ follow the first two moments of the targets. When they change, the last layers of both
    networks are corrected so that their Q do not change (equation 4 of the paper).

    Attributes:
        moments: ν, the running means of targets and of their squares, and μ and σ.
        moments_step: the step size of the means.
    """

    moments_step: float

    def _setup_model(self) -> None:
        super()._setup_model()
        self.moments = np.array([0.0, 1.0])

    @property
    def mean(self) -> float:
        """μ, the mean of the targets."""
        return float(self.moments[0])

    @property
    def deviation(self) -> float:
        """σ, their standard deviation, at least 10⁻⁴."""
        return float(np.sqrt(max(self.moments[1] - self.moments[0] ** 2, SMALLEST**2)))

    def unnormalised(self, outputs: torch.Tensor) -> torch.Tensor:
        """Q, from what a network returns."""
        return self.deviation * outputs + self.mean

    def train(self, gradient_steps: int, batch_size: int = 100) -> None:
        """Update on so many batches."""
        self.policy.set_training_mode(True)
        for _ in range(gradient_steps):
            batch = self.replay_buffer.sample(batch_size)
            with torch.no_grad():
                targets = self.targets(batch)
            self.rescale(targets)
            outputs = self.q_net(batch.observations).gather(1, batch.actions)
            normalised = (targets - self.mean) / self.deviation
            self._descend(functional.smooth_l1_loss(outputs, normalised))
        self._n_updates += gradient_steps

    def targets(self, batch: Any) -> torch.Tensor:
        """(batch, 1): what Q(s, a) is to become, in units of reward."""
        best = self.q_net(batch.next_observations).argmax(dim=1, keepdim=True)
        after = self.unnormalised(self.q_net_target(batch.next_observations).gather(1, best))
        return batch.rewards + self.gamma * (1.0 - batch.dones) * after

    def rescale(self, targets: torch.Tensor) -> None:
        """Follow the targets' moments; both networks' Q stay what they were."""
        mean, deviation = self.mean, self.deviation
        seen = np.array([targets.mean().item(), (targets**2).mean().item()])
        self.moments += self.moments_step * (seen - self.moments)
        for net in (self.q_net, self.q_net_target):
            layer: nn.Linear = net.q_net[-1]
            with torch.no_grad():
                layer.weight *= deviation / self.deviation
                layer.bias *= deviation / self.deviation
                layer.bias += (mean - self.mean) / self.deviation


class DqnPopArt(Ddqn):
    """`Ddqn` with Pop-Art; rewards are not clipped."""

    kind = PopArtDQN
    settings_kind = PopArtSettings
    settings: PopArtSettings
    clips = False

    def _set_up(self) -> None:
        self.algorithm.moments_step = self.settings.moments_step

    def _values(self, observations: torch.Tensor) -> torch.Tensor:
        values: torch.Tensor = self.algorithm.unnormalised(super()._values(observations))
        return values

    def _more_state(self) -> dict[str, NDArray[Any]]:
        return {**super()._more_state(), "moments": self.algorithm.moments.copy()}

    def _restore_more(self, state: Mapping[str, NDArray[Any]]) -> None:
        moments = arguments.array_part("state", state, "moments", np.float64, (2,))
        arguments.finite("state['moments']", moments)
        super()._restore_more(state)
        self.algorithm.moments = moments.copy()
