"""φ from an agent's own network: its last hidden layer, binarised."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm

from phieb import arguments
from phieb.sb3.weights import checked_weights, weights_of

_WEIGHTS = "weights."  # of the network, in a saved state


class NetworkFeatures:
    """The units of the last hidden layer below the values, each on if it is above its median.

    The paper's principle, that novelty is measured in the features of the value function, carried
    over: the values of PPO, A2C or DQN are linear in these units.

    Features are those of a copy of the network, with the medians of the observations told to `fit`;
    both stay as they are until the next `fit`, however the agent learns. `NetworkBonus` calls it at
    set intervals and counts anew. Without it this is a fixed map.

    By construction, each feature is on in about half of all observations, and then products of
    their frequencies can hardly tell new from old (docs/deep.md). `together` reads that many units
    at a time as one number: one feature for each of its 2^together values, most of them rare.

    Args:
        observations: the space of what the environments show, of numbers in an array.
        together: how many units make one feature; 1: each unit is one.

    Attributes:
        medians: (unit,): of each unit; zeros before the first `fit`.
    """

    def __init__(self, observations: spaces.Space[Any], together: int = 1) -> None:
        if observations.shape is None or observations.dtype is None:
            raise TypeError(f"observations must be a space of arrays, got {observations}")
        self.shape, self.dtype = observations.shape, observations.dtype
        self.together = arguments.whole("together", together, low=1, high=32)
        self.medians = np.zeros(0, np.float32)
        self._live: Any = None  # the network that learns
        self._copy: Any = None  # the one that is asked
        self._policy: Any = None  # around the copy
        self._inputs: list[Any] = []  # of the last layer, when it was last asked

    def __repr__(self) -> str:
        of = f" of {self.medians.size} units" if self._copy is not None else ""
        return f"NetworkFeatures({self.together} together{of})"

    @property
    def size(self) -> int:
        """The number of possible features; known once there is a network."""
        self._check()
        if self.together == 1:
            return self.medians.size
        return -(-self.medians.size // self.together) << self.together

    def follow(self, agent: BaseAlgorithm) -> None:
        """Take the units of this agent's network, as it is now; medians are 0 until `fit`."""
        policy, shape = agent.policy, tuple(agent.policy.observation_space.shape or ())
        if shape not in (self.shape, (*self.shape[2:], *self.shape[:2])):
            raise ValueError(f"agent must see observations of shape {self.shape}, got {shape}")
        normalised = agent.get_vec_normalize_env()
        if normalised is not None and normalised.norm_obs:
            raise ValueError(
                "agent must see the observations that are counted, got normalised ones"
            )
        if not hasattr(policy, "value_net") and not hasattr(policy, "q_net"):
            raise TypeError(f"agent must have a network of values, got {type(agent).__name__}")
        self._policy = deepcopy(policy)
        self._policy.set_training_mode(False)
        self._live, self._copy = _values(policy), _values(self._policy)
        last = _last_layer(self._copy)
        last.register_forward_pre_hook(lambda _, inputs: self._inputs.append(inputs[0]))
        self.medians = np.zeros(last.in_features, np.float32)

    def fit(self, observations: NDArray[Any]) -> list[NDArray[np.int64]]:
        """Copy the network as it is now; take the medians of its units over `observations`.

        Returns:
            The ids of the features that are active in each of them, as `active` returns them.
        """
        self._check()
        self._copy.load_state_dict(self._live.state_dict())
        self.medians = np.zeros_like(self.medians)
        units = [self.units(one) for one in observations]
        if units:
            self.medians = np.median(units, axis=0)
        return [self._ids(one) for one in units]

    def units(self, observation: Any) -> NDArray[np.float32]:
        """(unit,): the last hidden layer of the copy."""
        self._check()
        seen = arguments.array("observation", observation)
        if seen.shape != self.shape:
            raise ValueError(f"observation must have shape {self.shape}, got {seen.shape}")
        with torch.no_grad():
            tensor, _ = self._policy.obs_to_tensor(seen)
            run = self._copy.predict_values if self._copy is self._policy else self._copy
            run(tensor)
        units: NDArray[np.float32] = self._inputs.pop()[0].cpu().numpy()
        return units

    def active(self, observation: Any) -> NDArray[np.int64]:
        """Ids of the active features, in ascending order."""
        return self._ids(self.units(observation))

    def _ids(self, units: NDArray[np.float32]) -> NDArray[np.int64]:
        on = units > self.medians
        if self.together == 1:
            return np.flatnonzero(on).astype(np.int64)
        groups = -(-on.size // self.together)
        padded = np.zeros(groups * self.together, np.int64)
        padded[: on.size] = on
        codes = padded.reshape(groups, -1) @ (1 << np.arange(self.together))
        ids: NDArray[np.int64] = (np.arange(groups) << self.together) + codes
        return ids

    def reset(self) -> None:
        """Do nothing: the map has no memory."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "NetworkFeatures":
        """The same object: environments share it, and it belongs to a network."""
        return self

    def settings(self) -> dict[str, Any]:
        """What a saved state depends on, JSON-serialisable."""
        return {"features": type(self).__name__, "together": self.together}

    def state(self) -> dict[str, NDArray[Any]]:
        """The copy of the network and the medians."""
        self._check()
        return {"medians": self.medians.copy(), **weights_of(self._copy, _WEIGHTS)}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned, with an agent of the same shape."""
        self._check()
        kind, shape = self.medians.dtype.type, self.medians.shape
        medians = arguments.array_part("state", state, "medians", kind, shape)
        arguments.finite("state['medians']", medians)
        weights = checked_weights(self._copy, _WEIGHTS, state)
        self._copy.load_state_dict(weights)
        self.medians = medians.copy()

    def _check(self) -> None:
        if self._copy is None:
            raise RuntimeError("say whose network it is: call follow(agent) first")


def _values(policy: Any) -> Any:
    """The network whose last layer gives values: that of a critic, or of Q."""
    return policy if hasattr(policy, "value_net") else policy.q_net


def _last_layer(network: Any) -> Any:
    """The last linear layer of values."""
    if hasattr(network, "value_net"):
        return network.value_net
    return [layer for layer in network.modules() if isinstance(layer, torch.nn.Linear)][-1]
