"""Random network distillation (Burda, Edwards, Storkey & Klimov 2019)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from torch import nn

from phieb import arguments
from phieb.features.colour_cells import MOST_CHANNELS, is_picture
from phieb.novelty import Bonus
from phieb.sb3.weights import checked_weights, weights_of
from phieb.sb3.whitening import Whitening

_HIDDEN = 64  # units of each hidden layer
_MOMENTS = ("step", "exp_avg", "exp_avg_sq")  # what Adam remembers of each parameter


class RndBonus(Bonus):
    """β times the mean squared error of a predictor of a random network's output.

    The predictor is trained on what is observed, and its error is large where nothing similar was.
    Observations are whitened by their running mean and standard deviation, component by component,
    and clipped to ±5. The bonus is to be divided by the running standard deviation of its
    discounted returns, by `normalise="returns"` of the wrapper.

    The networks have two convolutions for pictures and one hidden layer for anything else; the
    predictor has one hidden layer more.

    Args:
        observations: the space of what the environments show, of numbers in an array.
        beta: β, the scale of the bonus.
        size: the number of outputs.
        warm_up: so many observations only set mean and deviation, and earn nothing.
        batch: observations for each step of the predictor, by Adam; each is used once.
        learning_rate: of these steps.
        seed: of both networks.
    """

    observes = "observation"

    def __init__(
        self,
        observations: spaces.Space[Any],
        beta: float = 1.0,
        size: int = 64,
        warm_up: int = 1_000,
        batch: int = 128,
        learning_rate: float = 1e-3,
        seed: int = 0,
    ) -> None:
        if observations.shape is None or observations.dtype is None:
            raise TypeError(f"observations must be a space of arrays, got {observations}")
        self.shape = observations.shape
        self.beta = arguments.number("beta", beta, low=0.0)
        self.size = arguments.whole("size", size, low=1)
        self.warm_up = arguments.whole("warm_up", warm_up)
        self.batch = arguments.whole("batch", batch, low=1)
        self.learning_rate = arguments.number("learning_rate", learning_rate, above=0.0)
        self.seed = arguments.whole("seed", seed)
        pictures = isinstance(observations, spaces.Box) and is_picture(observations)
        self._order = _channels_first(self.shape) if pictures else None
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            self.target, self.predictor = (self._network(deeper) for deeper in (False, True))
        self._adam = torch.optim.Adam(self.predictor.parameters(), lr=self.learning_rate)
        self._whitening = Whitening.of(self.shape)
        self._pending: list[NDArray[np.float32]] = []  # not learnt from yet

    def observe(self, seen: Any, action: int | None = None) -> float:
        """The bonus of an observation, from which the predictor then learns."""
        self._whitening = self._whitening.with_one_more(self._checked(seen))
        if self._whitening.t <= self.warm_up:
            return 0.0
        white = self._whitening.apply(seen)
        with torch.no_grad():
            bonus = self.beta * float(self._errors(white[None])[0])
        self._pending.append(white)
        if len(self._pending) == self.batch:
            self._learn(np.stack(self._pending))
            self._pending.clear()
        return bonus

    def peek(self, seen: Any, action: int | None = None) -> tuple[float, float]:
        """NaN, and the bonus that observing `seen` would give; nothing is learnt."""
        whitening = self._whitening.with_one_more(self._checked(seen))
        if whitening.t <= self.warm_up:
            return self.pseudocount, 0.0
        with torch.no_grad():
            error = float(self._errors(whitening.apply(seen)[None])[0])
        return self.pseudocount, self.beta * error

    def _errors(self, white: NDArray[np.float32]) -> torch.Tensor:
        """(n,): the mean squared error of each of (n, …)."""
        inputs = torch.as_tensor(white)
        with torch.no_grad():
            wanted = self.target(inputs)
        return (self.predictor(inputs) - wanted).square().mean(dim=1)

    def _learn(self, white: NDArray[np.float32]) -> None:
        self._adam.zero_grad()
        self._errors(white).mean().backward()
        self._adam.step()

    def _network(self, deeper: bool) -> nn.Module:
        """A random network, with orthogonal weights as in the paper."""
        body: list[nn.Module] = [_Flat(), nn.Linear(int(np.prod(self.shape)), _HIDDEN)]
        if self._order is not None:
            channels = self.shape[self._order[0]] if self._order else 1
            body = [_Picture(self._order), nn.Conv2d(channels, 16, 4, 2), nn.ReLU()]
            body += [nn.Conv2d(16, 32, 3, 2), nn.ReLU(), nn.Flatten()]
            with torch.no_grad():
                width = nn.Sequential(*body)(torch.zeros(1, *self.shape)).shape[1]
            body += [nn.Linear(width, _HIDDEN)]
        if deeper:
            body += [nn.ReLU(), nn.Linear(_HIDDEN, _HIDDEN)]
        network = nn.Sequential(*body, nn.ReLU(), nn.Linear(_HIDDEN, self.size))
        for layer in network:
            if isinstance(layer, nn.Linear | nn.Conv2d):
                nn.init.orthogonal_(layer.weight, 2**0.5)
                nn.init.zeros_(layer.bias)
        return network

    def _checked(self, seen: Any) -> NDArray[np.float64]:
        array = arguments.array("seen", seen, np.float64)
        if array.shape != self.shape:
            raise ValueError(f"seen must have shape {self.shape}, got {array.shape}")
        arguments.finite("seen", array)
        return array

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        names = ("beta", "size", "warm_up", "batch", "learning_rate", "seed")
        return {"shape": list(self.shape), **{name: getattr(self, name) for name in names}}

    def state(self) -> dict[str, NDArray[Any]]:
        """Networks, what Adam remembers, mean and deviation, and what is not learnt from yet."""
        adam = self._adam.state_dict()["state"]
        moments = {
            f"adam.{i}.{k}": part[k].numpy().copy() for i, part in adam.items() for k in part
        }
        pending = np.array(self._pending, np.float32).reshape(-1, *self.shape)
        networks = {
            **weights_of(self.target, "target."),
            **weights_of(self.predictor, "predictor."),
        }
        return {**networks, **moments, **self._whitening.state(), "pending": pending}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        target = checked_weights(self.target, "target.", state)
        predictor = checked_weights(self.predictor, "predictor.", state)
        whitening = Whitening.restored(self.shape, state)
        shape = (None, *self.shape)
        pending = arguments.array_part("state", state, "pending", np.float32, shape)
        if len(pending) >= self.batch:
            raise ValueError(
                f"state['pending'] must be fewer than {self.batch}, got {len(pending)}"
            )
        moments = self._checked_moments(state)
        self.target.load_state_dict(target)
        self.predictor.load_state_dict(predictor)
        self._adam.load_state_dict({**self._adam.state_dict(), "state": moments})
        self._whitening, self._pending = whitening, list(np.array(pending))

    def _checked_moments(self, state: Mapping[str, NDArray[Any]]) -> dict[int, Any]:
        """What Adam remembers, by the number of the parameter; nothing before its first step."""
        if "adam.0.step" not in state:
            return {}
        found: dict[int, Any] = {}
        for i, weight in enumerate(self.predictor.parameters()):
            shapes: tuple[tuple[int, ...], ...] = ((), tuple(weight.shape), tuple(weight.shape))
            found[i] = {}
            for name, shape in zip(_MOMENTS, shapes, strict=True):
                part = arguments.array_part("state", state, f"adam.{i}.{name}", np.float32, shape)
                arguments.finite(f"state['adam.{i}.{name}']", part)
                found[i][name] = torch.as_tensor(np.array(part))
        return found


class _Flat(nn.Module):  # type: ignore[misc]  # typed only where it is installed
    """Observations of any shape as vectors."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return inputs.reshape(len(inputs), -1)


class _Picture(nn.Module):  # type: ignore[misc]  # typed only where it is installed
    """Pictures with their channels first, as convolutions take them."""

    def __init__(self, order: tuple[int, ...]) -> None:
        super().__init__()
        self._order = order

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        if not self._order:
            return inputs[:, None]
        return inputs.permute(0, *(1 + axis for axis in self._order))


def _channels_first(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The axes of a picture in the order channels, height, width; empty if it has no channels."""
    if len(shape) == 2:
        return ()
    return (0, 1, 2) if shape[2] > MOST_CHANNELS else (2, 0, 1)
