"""The calls of the system that all writing passes through, failing on request or written down."""

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest

from phieb.files import handles, writing

CALLS = ("open", "mkdir", "write", "fsync", "rename", "ftruncate", "unlink", "rmdir")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EINTR)


class FaultySystem:
    """The module os, of which one call fails: the n-th of those that open, change or sync files.

    Args:
        n: which call; 0 for none.
        error: how it fails.
    """

    def __init__(self, n: int, error: int) -> None:
        self.count, self.failed = 0, ""
        self.saved = list[str]()  # checkpoints that were complete
        self._n, self._error = n, error

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        return self._counted(name, real) if name in CALLS else real

    def _counted(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            self.count += 1
            if self.count == self._n:
                self.failed = f"{name} {given}"
                raise OSError(self._error, os.strerror(self._error))
            found = real(*given, **named)
            if name == "rename" and given[1].isdigit():
                self.saved.append(given[1])
            return found

        return call


def replace(system: Any, patch: pytest.MonkeyPatch) -> None:
    """All files are read and written by this system from now on."""
    patch.setattr(writing, "os", system)
    patch.setattr(handles, "os", system)
