"""What every exploration bonus can do."""

import hashlib
import json
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from phieb.registry import Registry

BONUSES = Registry("bonus")
"""All bonuses, by name."""


class Bonus(ABC):
    """A number to add to the reward: how new is what the agent sees?

    Attributes:
        pseudocount: how often the last observation had been seen before, in this bonus's way of
            counting; NaN for one that does not count.
        observes: "features", what the agent's feature map makes of an observation, or
            "observation", what the world shows.
    """

    pseudocount: float = math.nan
    observes: Literal["features", "observation"] = "features"

    @abstractmethod
    def observe(self, seen: Any, action: int | None = None) -> float:
        """Learn from an observation, and return the bonus of having made it.

        Args:
            seen: what a feature map made of the observation.
            action: the one that led here; None at the start of an episode.
        """

    def reset(self) -> None:  # noqa: B027 - most bonuses remember nothing
        """An episode starts: forget the observation before."""

    @property
    def remembers(self) -> bool:
        """Whether it remembers the observation before: environments cannot share it then."""
        return type(self).reset is not Bonus.reset

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """What the bonus was made with, as JSON would have it."""

    @abstractmethod
    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays, for `restore` of a bonus with the same settings."""

    @abstractmethod
    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned; a state that is not one changes nothing.

        Raises:
            ValueError: it is not one; the message says what is wrong.
        """

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was learnt to one safetensors file, whole or not at all."""
        if Path(path).is_dir():
            raise ValueError(f"cannot save {os.fspath(path)}: it is a folder")
        part, settings = Path(f"{os.fspath(path)}.part"), json.dumps(self.settings())
        # In the order of their numbers: safetensors would write a transposed array as it lies.
        state = {name: np.asarray(array, order="C") for name, array in self.state().items()}
        part.write_bytes(save(state, {self._key: settings, "sha256": _sha256(settings, state)}))
        part.replace(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Continue from a file that `save` wrote.

        Raises:
            ValueError: it is damaged, or has other settings; nothing has changed.
        """
        if Path(path).is_dir():
            raise ValueError(f"cannot load {os.fspath(path)}: it is a folder")
        try:
            with safe_open(path, "numpy") as file:
                kept = file.metadata() or {}
                if self._key not in kept:
                    raise ValueError(f"it was not saved by {self._saved_by}")
                state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            if kept.get("sha256") != _sha256(kept[self._key], state):
                raise ValueError("it is not what was written")
            saved = json.loads(kept[self._key])
            differ = [
                f"{name} is {saved.get(name)!r} there and {mine!r} here"
                for name, mine in self.settings().items()
                if saved.get(name) != mine
            ]
            if differ:
                raise ValueError("; ".join(differ))
            self.restore(state)
        except (SafetensorError, TypeError, ValueError) as error:
            raise ValueError(f"cannot load {os.fspath(path)}: {error}") from None

    @property
    def _saved_by(self) -> str:
        """What a file of such a bonus was saved by, in words."""
        return f"a {type(self).__name__}"

    @property
    def _key(self) -> str:
        """What a file of such a bonus is known by."""
        return f"phieb.{type(self).__name__}"


def _sha256(settings: str, state: Mapping[str, NDArray[Any]]) -> str:
    """Of all that a file has."""
    digest = hashlib.sha256(settings.encode())
    for name, array in sorted(state.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
