"""Dueling networks (Wang et al. 2016), learnt as Double DQN."""

import math
from typing import Any

import torch
from stable_baselines3.common.torch_layers import NatureCNN
from stable_baselines3.dqn.policies import CnnPolicy, QNetwork
from torch import nn

from phieb.deep.dqn import Ddqn

HIDDEN = 512  # units of each stream


class Convolutions(NatureCNN):  # type: ignore[misc]  # typed only where it is installed
    """The convolutions of DQN without the layer after them, which each stream has for itself."""

    def __init__(self, observation_space: Any) -> None:
        super().__init__(observation_space)
        self._features_dim = self.cnn(torch.zeros(1, *observation_space.shape)).shape[1]
        self.linear = nn.Identity()


class Streams(nn.Module):  # type: ignore[misc]  # typed only where it is installed
    """Q(s, a) = V(s) + A(s, a) − the mean of A(s, ·) (equation 9 of the paper).

    Args:
        num_features: how many values the streams start from.
        num_actions: how many actions there are.
    """

    def __init__(self, num_features: int, num_actions: int) -> None:
        super().__init__()
        self.value, self.advantage = (
            nn.Sequential(nn.Linear(num_features, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, outputs))
            for outputs in (1, num_actions)
        )

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """(batch, action): Q. The gradient that enters the convolutions is divided by √2."""
        if features.requires_grad:
            features.register_hook(lambda gradient: gradient / math.sqrt(2.0))
        advantage = self.advantage(features)
        q: torch.Tensor = self.value(features) + advantage - advantage.mean(dim=1, keepdim=True)
        return q


class DuelingNetwork(QNetwork):  # type: ignore[misc]  # typed only where it is installed
    """The library's Q-network with two streams in the place of its last layers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.q_net = Streams(self.features_dim, int(self.action_space.n))


class DuelingPolicy(CnnPolicy):  # type: ignore[misc]  # typed only where it is installed
    """The library's policy of DQN with dueling networks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, features_extractor_class=Convolutions, **kwargs)

    def make_q_net(self) -> DuelingNetwork:
        """A network and its features."""
        extractor = self._update_features_extractor(self.net_args, features_extractor=None)
        network: DuelingNetwork = DuelingNetwork(**extractor).to(self.device)
        return network


class Dueling(Ddqn):
    """`Ddqn` with a dueling network."""

    policy = DuelingPolicy
