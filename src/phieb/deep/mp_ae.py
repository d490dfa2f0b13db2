"""The error of a learned model of the dynamics of an autoencoder's code (Stadie et al. 2015)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from phieb import arguments
from phieb.deep import arrays
from phieb.deep.autoencoder import BATCH, CODE, HIDDEN, PictureModel, as_input, reconstruction
from phieb.deep.sight import Sight
from phieb.novelty import Bonus
from phieb.novelty.prediction import DECAY

EVERY = 4  # observations from one update to the next


class Dynamics(nn.Module):  # type: ignore[misc]  # typed only where it is installed
    """M: a code and an action to the code after it, with two hidden layers.

    Args:
        num_actions: how many actions there are.
    """

    def __init__(self, num_actions: int) -> None:
        super().__init__()
        self.num_actions = num_actions
        self.layers = nn.Sequential(
            nn.Linear(CODE + num_actions, HIDDEN),
            nn.ReLU(),
            nn.Linear(HIDDEN, HIDDEN),
            nn.ReLU(),
            nn.Linear(HIDDEN, CODE),
        )

    def forward(self, code: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        """(batch, CODE): the codes predicted."""
        chosen = functional.one_hot(actions, self.num_actions).float()
        after: torch.Tensor = self.layers(torch.cat([code, chosen], dim=1))
        return after


class MpAe(Bonus):
    """β·ē/(t·C), where e = ‖σ(s′) − M(σ(s), a)‖² with σ the code, and ē is e over the largest e.

    Autoencoder and dynamics are trained on the way, on the same pictures.

    Args:
        beta: β, the scale of the bonus.
        num_actions: the number of actions.
        seed: of all random numbers.
        observation_space: of the world.
        game: its name.

    Attributes:
        t: the number of predictions.
    """

    observes = "observation"

    def __init__(
        self,
        beta: float,
        num_actions: int,
        seed: int,
        observation_space: spaces.Space[Any],
        game: str,
    ) -> None:
        self.beta = arguments.number("beta", beta, low=0.0)
        self.num_actions, self.seed = num_actions, seed
        sight = Sight(observation_space, game, stacked=1)
        self.model = PictureModel(sight, seed, partial(Dynamics, num_actions))
        self.t, self._largest = 0, 0.0
        self._before: NDArray[np.uint8] | None = None

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Predict an observation, then learn; returns the bonus of the error."""
        picture = self.model.picture(seen)
        before, self._before = self._before, picture
        action = None if before is None else action
        bonus = 0.0 if before is None or action is None else self._bonus(before, action, picture)
        self.model.keep(picture, action)
        if self.model.total % EVERY == 0 and self.model.total > BATCH:
            self._train()
        return bonus

    def reset(self) -> None:
        """Start an episode: the next observation is not predicted."""
        self._before = None

    def error(self, before: NDArray[np.uint8], action: int, after: NDArray[np.uint8]) -> float:
        """‖σ(s′) − M(σ(s), a)‖² of one transition."""
        codes = self.model.code(np.stack([before, after]))
        with torch.no_grad():
            predicted = self.model.net.head(codes[:1], torch.tensor([action]))
        return float(((predicted - codes[1:]) ** 2).sum())

    def settings(self) -> dict[str, Any]:
        """What it was made with, JSON-serialisable."""
        return {name: getattr(self, name) for name in ("beta", "num_actions", "seed")}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore`."""
        before = np.zeros(0, np.uint8) if self._before is None else self._before
        return {
            **arrays.prefixed("model", self.model.state()),
            "t": np.array([self.t]),
            "largest_error": np.array([self._largest]),
            "before": before.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        t = arguments.array_part("state", state, "t", np.int64, (1,)).item()
        largest = arguments.array_part("state", state, "largest_error", np.float64, (1,))
        before = arguments.array_part("state", state, "before", np.uint8, (None,))
        arguments.finite("state['largest_error']", largest)
        if before.size not in (0, self.model.num_pixels) or t < 0:
            raise ValueError("state is of another bonus")
        self.model.restore(arrays.under("model", state))
        self.t, self._largest = t, largest.item()
        self._before = before.copy() if before.size else None

    def _bonus(self, before: NDArray[np.uint8], action: int, after: NDArray[np.uint8]) -> float:
        error = self.error(before, action, after)
        self.t += 1
        self._largest = max(self._largest, error)
        normalised = error / self._largest if self._largest else 0.0
        return self.beta * normalised / (self.t * DECAY)

    def _train(self) -> None:
        model = self.model
        with model.random.used():
            rows = model.rows(least=1)
        actions = model.actions[rows]
        after, before = (as_input(model.pictures[row]) for row in (rows, rows - 1))
        code = model.net.encoder(after)
        loss = reconstruction(model.net.decoder(code), after)
        follows = torch.from_numpy(actions >= 0)
        if follows.any():  # the dynamics learn on codes that they do not change
            with torch.no_grad():
                codes = model.net.encoder(before)
            taken = torch.from_numpy(actions)[follows]
            predicted = model.net.head(codes[follows], taken)
            loss = loss + functional.mse_loss(predicted, code.detach()[follows])
        model.descend(loss)
