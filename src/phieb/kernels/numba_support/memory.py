"""Prefetching, and memory aligned to cache lines.

Between two decisions the emulator evicts our data from the caches. A decision needs rows at random
places of large tables; if they are prefetched together, their cache misses overlap.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined, inner

LINE = 64  # bytes of a cache line


def aligned_zeros(shape: tuple[int, ...], dtype: type[Any]) -> NDArray[Any]:
    """An array of zeros that starts at a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + LINE, np.uint8)
    first = -memory.ctypes.data % LINE
    array: NDArray[Any] = memory[first : first + size].view(dtype).reshape(shape)
    return array


def _prefetch(typing_context: Any, array: Any, index: Any, offset: Any) -> Any:
    """LLVM's prefetch, of the cache line `offset` bytes after array[index]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = cgutils.unpack_tuple(builder, struct.strides)[0]
        start = builder.ptrtoint(struct.data, ir.IntType(64))
        place = builder.add(start, builder.add(builder.mul(arguments[1], stride), arguments[2]))
        byte = builder.inttoptr(place, cgutils.voidptr_t)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # Arguments: read access, locality 2 (the L2 cache: L1 is too small), data cache.
        builder.call(function, [byte, number(0), number(2), number(1)])
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64), generate


_interpreted: bool = getattr(numba.config, "DISABLE_JIT", False)
prefetch: Any = (lambda *_: None) if _interpreted else intrinsic(_prefetch)


@inlined
def prefetch_row(table, row):
    """Prefetch a row of a table whose rows start at a cache line or lie within one."""
    for offset in range(0, table.strides[0], LINE):
        prefetch(table, row, offset)


@inner
def prefetch_rows(rows, table):
    """Prefetch these rows (k,) of a table."""
    for k in range(rows.size):
        prefetch_row(table, rows[k])
