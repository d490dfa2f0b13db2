"""Counts of hashed codes of an autoencoder (#Exploration with AE-SimHash, Tang et al. 2017)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray

from phieb.deep import arrays
from phieb.deep.autoencoder import CODE, PictureModel, as_input, reconstruction
from phieb.deep.sight import Sight
from phieb.novelty import Bonus, SimHashBonus

BITS = 64
NOISE = 0.3  # a: uniform noise in [−a, a] on the code while training, which makes it binary
ROUND, UPDATES = 1_000, 200  # observations from one round of training to the next, and its updates
PRESSURE = 10.0  # λ: of the units of the code towards 0 or 1


class SimHashAe(Bonus):
    """β/√n(c), where c is the SimHash of the rounded code of an autoencoder.

    The autoencoder is trained on the way, in rounds, between which a picture keeps its code. After
    a round it may get another one; counts stay with the old code.

    Args:
        beta: β, the scale of the bonus.
        seed: of all random numbers.
        observation_space: of the world.
        game: its name.
    """

    observes = "observation"

    def __init__(
        self, beta: float, seed: int, observation_space: spaces.Space[Any], game: str
    ) -> None:
        self.model = PictureModel(Sight(observation_space, game, stacked=1), seed)
        self.counts = SimHashBonus(beta, CODE, BITS, seed)
        self.pseudocount = 0.0

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Count the code of an observation; returns its bonus."""
        picture = self.model.picture(seen)
        self.model.keep(picture, action)
        if self.model.total % ROUND == 0:
            for _ in range(UPDATES):
                self._train()
        bonus = self.counts.observe(self._code(picture))
        self.pseudocount = self.counts.pseudocount
        return bonus

    def peek(self, seen: Any, action: int | None = None) -> tuple[float, float]:
        """The pseudocount and the bonus that `observe` would give; nothing is counted."""
        return self.counts.peek(self._code(self.model.picture(seen)))

    def settings(self) -> dict[str, Any]:
        """What it was made with, JSON-serialisable."""
        return self.counts.settings()

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore`."""
        return {
            **arrays.prefixed("model", self.model.state()),
            **arrays.prefixed("counts", self.counts.state()),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        self.model.restore(arrays.under("model", state))
        self.counts.restore(arrays.under("counts", state))
        self.pseudocount = self.counts.pseudocount

    def _code(self, picture: NDArray[np.uint8]) -> NDArray[np.float64]:
        """(CODE,): −1 or 1 for each unit, so that the hash tells codes apart by their angle."""
        rounded: NDArray[np.bool_] = (self.model.code(picture[None])[0] > 0.5).numpy()
        return np.where(rounded, 1.0, -1.0)

    def _train(self) -> None:
        with self.model.random.used():
            pictures = as_input(self.model.pictures[self.model.rows()])
            code = self.model.net.encoder(pictures)
            noisy = code + NOISE * (2.0 * torch.rand_like(code) - 1.0)
            loss = reconstruction(self.model.net.decoder(noisy), pictures)
            self.model.descend(loss + binary_pressure(code, pictures.shape[1]))


def binary_pressure(code: torch.Tensor, num_pixels: int) -> torch.Tensor:
    """λ/(K·pixels) Σ_i min((1 − b_i)², b_i²): what a code costs that is not binary (equation 3)."""
    distance = torch.minimum((1.0 - code) ** 2, code**2).sum(dim=1).mean()
    pressure: torch.Tensor = PRESSURE / (CODE * num_pixels) * distance
    return pressure
