"""A clock inside compiled code: what each part of a decision takes, where it is in a run.

What a part takes depends on what is in the caches when its turn comes, so parts are timed in their
places. Kernels take a clock or None. Numba compiles a version for each, and in the one for None
nothing of the clock is left.
"""

import time
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined

PARTS = ("blobs", "pairs", "rows", "density", "value")
BLOBS, PAIRS, ROWS, DENSITY, VALUE, LAP = range(len(PARTS) + 1)  # LAP: when the last part ended


def new_clock() -> NDArray[np.int64]:
    """Nanoseconds spent in each of `PARTS`, none yet."""
    return np.zeros(LAP + 1, np.int64)


def _nanoseconds(typing_context: Any) -> Any:
    """The system's clock, as `time.monotonic_ns` reads it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, clock = ir.IntType(64), ir.IntType(32)
        both = builder.alloca(ir.ArrayType(word, 2))  # seconds and nanoseconds
        kind = ir.FunctionType(clock, [clock, both.type])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(function, [clock(time.CLOCK_MONOTONIC), both])
        seconds, rest = (builder.extract_value(builder.load(both), k) for k in range(2))
        return builder.add(builder.mul(seconds, word(10**9)), rest)

    return types.int64(), generate


_interpreted: bool = getattr(numba.config, "DISABLE_JIT", False)
nanoseconds: Any = time.monotonic_ns if _interpreted else intrinsic(_nanoseconds)


@inlined
def start_lap(clock):
    """The first part begins."""
    if clock is not None:
        clock[LAP] = nanoseconds()


@inlined
def end_lap(clock, part):
    """A part is over, the next begins."""
    if clock is not None:
        now = nanoseconds()
        clock[part] += now - clock[LAP]
        clock[LAP] = now
