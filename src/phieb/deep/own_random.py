"""The random numbers of one agent, where libraries draw them from generators of the process."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from phieb import arguments

NAME = "MT19937"


class OwnRandom:
    """The states of NumPy's and torch's global generators, as one agent uses them.

    Args:
        seed: of both.
    """

    def __init__(self, seed: int) -> None:
        words = np.random.SeedSequence(seed).generate_state(625)
        self._numpy: Any = (NAME, words[:624].astype(np.uint32), 624, 0, 0.0)
        self._torch = torch.Generator().manual_seed(int(words[624])).get_state()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Within it the global generators continue this agent's streams."""
        outer = np.random.get_state(), torch.get_rng_state()  # noqa: NPY002 - the libraries use it
        np.random.set_state(self._numpy)  # noqa: NPY002
        torch.set_rng_state(self._torch)
        try:
            yield
        finally:
            self._numpy = np.random.get_state()  # noqa: NPY002
            self._torch = torch.get_rng_state()
            np.random.set_state(outer[0])  # noqa: NPY002
            torch.set_rng_state(outer[1])

    def state(self) -> dict[str, NDArray[Any]]:
        """Both streams, as arrays for `restore`."""
        _, words, position, has_normal, normal = self._numpy
        return {
            "numpy": words.copy(),
            "numpy_position": np.array([position, has_normal]),
            "numpy_normal": np.array([normal]),
            "torch": self._torch.numpy().copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue the streams of a saved `state`."""
        words = arguments.array_part("random", state, "numpy", np.uint32, (624,))
        at = arguments.array_part("random", state, "numpy_position", np.int64, (2,)).tolist()
        normal = arguments.array_part("random", state, "numpy_normal", np.float64, (1,)).item()
        shape = (self._torch.numel(),)
        stream = arguments.array_part("random", state, "torch", np.uint8, shape)
        if not 0 <= at[0] <= 624:
            raise ValueError(f"random['numpy_position'] must be at most 624, got {at[0]}")
        self._numpy = (NAME, words.copy(), at[0], at[1], normal)
        self._torch = torch.from_numpy(stream.copy())
