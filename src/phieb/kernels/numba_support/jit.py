"""How kernels are compiled, and where the machine code is cached."""

import hashlib
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core import event
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher

_HERE = Path(__file__).parents[1]  # the folder of all kernels
_CONFIG: Any = numba.config
_NJIT: Any = njit  # its stubs lack the options for wrappers


def _cache_folder() -> str | None:
    """A cache folder for this version of the kernels; None where none can be written to.

    Numba checks only a function's own file for changes: it would keep using stale machine code of a
    kernel that calls a changed one.
    """
    digest = hashlib.sha256()
    for source in sorted(_HERE.rglob("*.py")):
        digest.update(source.read_bytes())
    for root in _roots():
        folder = root / f"kernels-{digest.hexdigest()[:16]}"
        if _can_be_written(folder):
            return str(folder)
    return None


def _roots() -> Iterator[Path]:
    """Candidate folders for the cache, in order of preference."""
    if _CONFIG.CACHE_DIR:
        yield Path(_CONFIG.CACHE_DIR)
        return
    yield _HERE / "__pycache__"
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(cache):  # without a home, "~" is left as it is
        yield Path(cache) / "phieb"


def _can_be_written(folder: Path) -> bool:
    """Whether a file can be created in a folder; permissions do not tell if a disk is read-only."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


_FOLDER = _cache_folder()


class _NotKept(event.Listener):
    """Warns once, in the main process, when a kernel is compiled that cannot be cached."""

    _said = parent_process() is not None

    def on_start(self, event: Any) -> None:
        """Warn before the first compilation."""
        if not self._said:
            self._said = True
            warnings.warn(NOT_KEPT, RuntimeWarning, stacklevel=2)

    def on_end(self, event: Any) -> None:
        """Do nothing."""


NOT_KEPT = (
    "no writable folder to cache compiled kernels in: every process compiles them again, which "
    "takes about a minute; set NUMBA_CACHE_DIR to a writable folder"
)

if _FOLDER is None:
    event.register("numba:compile", _NotKept())


def is_kept() -> bool:
    """Whether compiled kernels are cached."""
    return _FOLDER is not None


def is_compiled(name: str) -> bool:
    """Whether the cache contains the kernel of this name."""
    return _FOLDER is not None and any(Path(_FOLDER).rglob(f"*.{name}-*.nbi"))


def kernel(function: Callable[..., Any], **options: Any) -> Any:
    """A kernel that is compiled at its first call and cached on disk.

    It releases the GIL, so that threads can use all cores, and does without `fastmath`, so that
    results do not depend on the processor.
    """
    original, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, _FOLDER or ""
    try:
        return _NJIT(
            cache=is_kept(), nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options
        )(function)
    finally:
        _CONFIG.CACHE_DIR = original


class _Inner(CPUDispatcher):
    """A kernel without a wrapper for Python: numba would call address 0."""

    def __call__(self, *arguments: Any) -> Any:
        """Refuse."""
        raise TypeError(f"{self.py_func.__name__} can be called by kernels only")


def specialized(function: Any, *arguments: Any) -> Any:
    """The version of a kernel for the types of these arguments, without dispatch by type.

    Saves 2 µs per call. It must not be called with arguments of other types.
    """
    if not isinstance(function, Dispatcher):  # compilation is disabled
        return function
    types = tuple(numba.typeof(argument) for argument in arguments)
    function.compile(types)
    compiled: Any = function.overloads[types]
    return compiled.entry_point


def inner(function: Callable[..., Any], **options: Any) -> Any:
    """A kernel that only kernels call: compiled without the wrapper that unboxes its arguments."""
    made = kernel(function, no_cpython_wrapper=True, **options)
    if isinstance(made, Dispatcher):
        made.__class__ = _Inner
    return made


def inlined(function: Callable[..., Any]) -> Any:
    """An inner kernel that LLVM inlines: for a few lines executed for every row."""
    return inner(function, forceinline=True)


def merged(function: Callable[..., Any]) -> Any:
    """A kernel that Numba merges into its callers, and does not compile separately.

    For the large steps of one algorithm: LLVM optimises a function again in each of its callers,
    so that every level of calls between such steps would add seconds to the compilation.
    """
    return kernel(function, inline="always")
