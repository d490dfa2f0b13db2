"""Environments that end their process, hang, or fill the disk, after some steps of training."""

import os
import signal
from pathlib import Path
from time import sleep
from typing import Any

import gymnasium

STEPS = 150  # until it happens


class Bad(gymnasium.Wrapper[Any, Any, Any, Any]):
    """FrozenLake, until something happens.

    Args:
        how: what.
        folder: on the disk to fill.
    """

    def __init__(self, how: str, folder: str = "") -> None:
        super().__init__(gymnasium.make("FrozenLake-v1"))
        self._how, self._folder, self._steps = how, folder, 0

    def step(self, action: Any) -> Any:
        """Take a step; the last one never returns."""
        self._steps += 1
        if self._steps == STEPS:
            happen(self._how, Path(self._folder))
        return super().step(action)


def happen(how: str, folder: Path) -> None:
    """What is wrong with the environment."""
    if how == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if how == "hang":
        sleep(3_600)
    if how == "fill":
        fill(folder / f"junk-{os.getpid()}")
    raise RuntimeError("no more ice")


def fill(file: Path) -> None:
    """Leave no room on a disk, for a while."""
    try:
        with file.open("wb", buffering=0) as junk:
            while True:
                junk.write(bytes(1 << 16))
    except OSError:
        sleep(1.0)
        raise
    finally:
        file.unlink()


make = Bad
