"""A clock inside compiled code: the time that each part of a decision takes, measured in place.

The time of a part depends on what the earlier parts left in the caches, so parts are timed within
the whole decision. Kernels take a clock or None. Numba builds one version for each, and the one for
None contains no timing code.
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
BLOBS, PAIRS, ROWS, DENSITY, VALUE, LAP = range(
    len(PARTS) + 1
)  # LAP: the time at which the last part ended


def new_clock() -> NDArray[np.int64]:
    """(LAP + 1,): nanoseconds spent in each of `PARTS`, all 0."""
    return np.zeros(LAP + 1, np.int64)


def _nanoseconds(typing_context: Any) -> Any:
    """The clock of `time.monotonic_ns`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, clock = ir.IntType(64), ir.IntType(32)
        both = builder.alloca(ir.ArrayType(word, 2))  # struct timespec: seconds, nanoseconds
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
    """Start timing the first part."""
    if clock is not None:
        clock[LAP] = nanoseconds()


@inlined
def end_lap(clock, part):
    """Add the time since the last lap to `part`; the next part starts."""
    if clock is not None:
        now = nanoseconds()
        clock[part] += now - clock[LAP]
        clock[LAP] = now
