"""How every kernel is compiled, and where what was compiled is kept."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.dispatcher import Dispatcher

_HERE = Path(__file__).parents[1]  # all kernels, in whichever room
_CONFIG: Any = numba.config


def _cache_folder() -> str:
    """One folder for each version of the kernels.

    Numba looks for changes in a function's own file only, and would go on with old machine code
    when another kernel that it calls has changed.
    """
    digest = hashlib.sha256()
    for source in sorted(_HERE.rglob("*.py")):
        digest.update(source.read_bytes())
    if _CONFIG.CACHE_DIR:
        root = Path(_CONFIG.CACHE_DIR)
    elif os.access(_HERE, os.W_OK):
        root = _HERE / "__pycache__"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "phieb"
    return str(root / f"kernels-{digest.hexdigest()[:16]}")


_FOLDER = _cache_folder()


def is_compiled(name: str) -> bool:
    """Whether a kernel, by its name, has been compiled and kept before."""
    return any(Path(_FOLDER).rglob(f"*.{name}-*.nbi"))


def kernel(function: Callable[..., Any], forceinline: bool = False) -> Any:
    """Compile at first use and keep the result on disk, so that only the first run has to wait.

    Without the interpreter's lock, so that threads use all cores; without `fastmath`, so that
    results do not depend on the processor.
    """
    elsewhere, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, _FOLDER
    try:
        return njit(cache=True, nogil=True, error_model="numpy", forceinline=forceinline)(function)
    finally:
        _CONFIG.CACHE_DIR = elsewhere


def straight(function: Any, *arguments: Any) -> Any:
    """A kernel for arguments of the kinds of these, without looking at their kinds at every call.

    Two microseconds are saved. Who calls it must not give it arguments of another kind.
    """
    if not isinstance(function, Dispatcher):  # interpreted, or with a clock in it
        return function
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    function.compile(kinds)
    compiled: Any = function.overloads[kinds]
    return compiled.entry_point


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel that is copied into those that call it: for a few lines done for every row."""
    return kernel(function, forceinline=True)
