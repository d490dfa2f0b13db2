"""Asking for memory before it is needed.

Between two decisions the emulator has filled the caches with its own. What a decision needs lies
at random places of large tables; asked for all at once, it comes in the time of a few.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from phieb.kernels.numba_support.jit import inlined, kernel

LINE = 64  # bytes that come at a time


def aligned_zeros(shape: tuple[int, ...], dtype: type[Any]) -> NDArray[Any]:
    """An array that begins where such bytes begin: rows of so many come in one piece."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + LINE, np.uint8)
    first = -memory.ctypes.data % LINE
    array: NDArray[Any] = memory[first : first + size].view(dtype).reshape(shape)
    return array


def _prefetch(typing_context: Any, array: Any, index: Any, offset: Any) -> Any:
    """The processor's instruction, for the line that is `offset` bytes after array[index]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = cgutils.unpack_tuple(builder, struct.strides)[0]
        start = builder.ptrtoint(struct.data, ir.IntType(64))
        place = builder.add(start, builder.add(builder.mul(arguments[1], stride), arguments[2]))
        byte = builder.inttoptr(place, cgutils.voidptr_t)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # To read, into the core's second cache (of 3, the first): the first is soon full.
        builder.call(function, [byte, number(0), number(2), number(1)])
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64), generate


_interpreted: bool = getattr(numba.config, "DISABLE_JIT", False)
prefetch: Any = (lambda *_: None) if _interpreted else intrinsic(_prefetch)


@inlined
def fetch_row(table, row):
    """Ask for a row of a table, whose rows lie within a line or begin with one."""
    for offset in range(0, table.strides[0], LINE):
        prefetch(table, row, offset)


@kernel
def fetch(rows, table):
    """Ask for these rows."""
    for k in range(rows.size):
        fetch_row(table, rows[k])
