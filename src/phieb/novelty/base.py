"""The base class of exploration bonuses."""

import hashlib
import json
import math
import os
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from phieb.files import writing
from phieb.files.arrays import packed, read_arrays, unpacked
from phieb.files.errors import DamagedError, MissingError
from phieb.files.reading import parsed
from phieb.registry import Registry

BONUSES = Registry("bonus")
"""All bonuses, by name."""


class Bonus(ABC):
    """An exploration bonus: a number, added to the reward, that is large for novel states.

    Attributes:
        pseudocount: how often the last observation had been seen before, as this bonus counts; NaN
            if it does not count.
        observes: what `observe` takes, "features" of the agent's feature map or the "observation"
            itself.
    """

    pseudocount: float = math.nan
    observes: Literal["features", "observation"] = "features"

    @abstractmethod
    def observe(self, seen: Any, action: int | None = None) -> float:
        """Learn from an observation; returns its bonus.

        Args:
            seen: features of the observation, or the observation itself (see `observes`).
            action: the action that led to it; None at the start of an episode.
        """

    def peek(self, seen: Any, action: int | None = None) -> tuple[float, float]:
        """The pseudocount and the bonus that `observe` would give; nothing is counted.

        Asks a copy of everything learnt, unless a bonus has a quicker way, as `PhiBonus` does.
        """
        copy = deepcopy(self)
        bonus = copy.observe(seen, action)
        return copy.pseudocount, bonus

    def reset(self) -> None:  # noqa: B027 - most bonuses remember nothing
        """Start an episode: forget the previous observation."""

    @property
    def remembers(self) -> bool:
        """Whether it remembers the previous observation; if so, environments cannot share it."""
        return type(self).reset is not Bonus.reset

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""

    @abstractmethod
    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore` of a bonus with the same settings."""

    @abstractmethod
    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`; an invalid one changes nothing.

        Raises:
            ValueError: the state is invalid; the message says why.
        """

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything learnt to a safetensors file, atomically."""
        if Path(path).is_dir():
            raise ValueError(f"cannot save {os.fspath(path)}: it is a folder")
        settings, state = json.dumps(self.settings()), self.state()
        metadata = {self._key: settings, "sha256": _sha256(settings, state)}
        writing.write(Path(path), packed(state, metadata))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Continue from a file that `save` wrote.

        Raises:
            ValueError: the file is damaged or has other settings; nothing has changed.
        """
        if Path(path).is_dir():
            raise ValueError(f"cannot load {os.fspath(path)}: it is a folder")
        try:
            state, kept = unpacked(Path(path), read_arrays(Path(path)))
            if self._key not in kept:
                raise ValueError(f"it was not saved by {self._saved_by}")
            if kept.get("sha256") != _sha256(kept[self._key], state):
                raise ValueError("its checksum does not match")
            saved = parsed(kept[self._key].encode())
            if not isinstance(saved, dict):
                raise ValueError("its settings are not an object")
            differ = [
                f"{name} is {reprlib.repr(saved.get(name))} there and {mine!r} here"
                for name, mine in self.settings().items()
                if saved.get(name) != mine
            ]
            if differ:
                raise ValueError("; ".join(differ))
            self.restore(state)
        except MissingError as error:
            raise FileNotFoundError(f"cannot load {error}") from None
        except DamagedError as error:
            raise ValueError(f"cannot load {error}") from None
        except (TypeError, ValueError) as error:
            raise ValueError(f"cannot load {os.fspath(path)}: {error}") from None

    @property
    def _saved_by(self) -> str:
        """Words for the class that saves such files, for errors."""
        return f"a {type(self).__name__}"

    @property
    def _key(self) -> str:
        """The metadata key of files of this class."""
        return f"phieb.{type(self).__name__}"


def _sha256(settings: str, state: Mapping[str, NDArray[Any]]) -> str:
    """The checksum of settings and arrays."""
    digest = hashlib.sha256(settings.encode())
    for name, array in sorted(state.items()):
        plain = np.asarray(array, order="C")
        digest.update(f"{name} {plain.dtype.str} {plain.shape}".encode())
        digest.update(plain.tobytes())
    return digest.hexdigest()
