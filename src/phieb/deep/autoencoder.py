"""An autoencoder of small pictures, trained on what was seen last."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from phieb import arguments
from phieb.deep import arrays
from phieb.deep.own_random import OwnRandom
from phieb.deep.sight import Sight

CODE, HIDDEN = 128, 256  # units
KEPT = 5_000  # pictures that it is trained on, the last ones
BATCH = 32  # pictures in an update
RATE = 1e-3  # of Adam
_HALVED = 72  # sides that are at least as long are halved


class AutoEncoder(nn.Module):  # type: ignore[misc]  # typed only where it is installed
    """Pixels in [0, 1] to a code in (0, 1) and back, with one hidden layer each way.

    Args:
        num_pixels: of a picture.
    """

    def __init__(self, num_pixels: int) -> None:
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(num_pixels, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, CODE), nn.Sigmoid()
        )
        self.decoder = nn.Sequential(
            nn.Linear(CODE, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, num_pixels)
        )


class PictureModel:
    """An autoencoder, and what else is to be learnt from pictures, with their memory.

    Args:
        sight: makes the pictures; 84 × 84 pixels become 42 × 42.
        seed: of all random numbers.
        head: makes another network that is trained together with the autoencoder.
    """

    def __init__(
        self, sight: Sight, seed: int, head: Callable[[], nn.Module] | None = None
    ) -> None:
        torch.set_num_threads(1)
        self._sight = sight
        self._step = 2 if min(sight.shape) >= _HALVED else 1
        rows, columns = (n // self._step for n in sight.shape)
        self.num_pixels = rows * columns
        self.random = OwnRandom(seed)
        with self.random.used():
            self.net = AutoEncoder(self.num_pixels)
            self.net.head = nn.Identity() if head is None else head()
        self.optimizer = torch.optim.Adam(self.net.parameters(), RATE)
        self.pictures = np.zeros((KEPT, self.num_pixels), np.uint8)
        self.actions = np.full(KEPT, -1, np.int64)  # that led to them; −1: none did
        self.total = 0

    def picture(self, observation: Any) -> NDArray[np.uint8]:
        """(num_pixels,): one observation."""
        whole, step = self._sight.picture(observation), self._step
        if step == 1:
            return whole.ravel()
        rows, columns = (n // step * step for n in whole.shape)
        blocks = whole[:rows, :columns].reshape(rows // step, step, columns // step, step)
        halved: NDArray[np.float64] = blocks.mean(axis=(1, 3))
        return halved.astype(np.uint8).ravel()

    def keep(self, picture: NDArray[np.uint8], action: int | None) -> None:
        """Remember a picture."""
        row = self.total % KEPT
        self.pictures[row], self.actions[row] = picture, -1 if action is None else action
        self.total += 1

    def code(self, pictures: NDArray[np.uint8]) -> torch.Tensor:
        """(batch, CODE): codes of pictures."""
        with torch.no_grad():
            code: torch.Tensor = self.net.encoder(as_input(pictures))
        return code

    def rows(self, least: int = 0) -> NDArray[np.int64]:
        """Rows of a batch, drawn from those that came after at least so many others."""
        oldest = max(0, self.total - KEPT)
        numbers = np.random.randint(oldest + least, self.total, BATCH)  # noqa: NPY002 - OwnRandom
        return numbers % KEPT

    def descend(self, loss: torch.Tensor) -> None:
        """One step of Adam."""
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def state(self) -> dict[str, NDArray[Any]]:
        """Networks, optimiser, random stream and memory, as arrays for `restore`."""
        used = min(self.total, KEPT)
        return {
            "libraries": arrays.libraries(),
            "total": np.array([self.total]),
            "actions": self.actions[:used].copy(),
            "pictures": arrays.packed_pictures(self.pictures[:used]),
            **arrays.prefixed("net", arrays.of_module(self.net)),
            **arrays.prefixed("optimizer", arrays.of_optimizer(self.optimizer)),
            **arrays.prefixed("random", self.random.state()),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        arrays.check_libraries(state)
        total = arguments.array_part("state", state, "total", np.int64, (1,)).item()
        used = min(arguments.whole("state's total", total), KEPT)
        actions = arguments.array_part("state", state, "actions", np.int64, (used,))
        packed = arguments.array_part("state", state, "pictures", np.uint8, (None,))
        pictures = arrays.unpacked_pictures(packed, (used, self.num_pixels))
        arrays.into_module(self.net, arrays.under("net", state))
        arrays.into_optimizer(self.optimizer, arrays.under("optimizer", state))
        self.random.restore(arrays.under("random", state))
        self.pictures[:used], self.actions[:used], self.total = pictures, actions, total


def as_input(pictures: NDArray[np.uint8]) -> torch.Tensor:
    """Pictures as the autoencoder takes them."""
    return torch.from_numpy(pictures).float() / 255.0


def reconstruction(decoded: torch.Tensor, pictures: torch.Tensor) -> torch.Tensor:
    """The loss of an autoencoder: cross-entropy for each pixel, a grey level as a probability."""
    loss: torch.Tensor = functional.binary_cross_entropy_with_logits(decoded, pictures)
    return loss
