"""Asking for memory before it is needed.

Between two decisions the emulator has filled the caches with its own. What a decision needs lies
at random places of large tables; asked for all at once, it comes in the time of a few.
"""

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from phieb.kernels.jit import kernel

LINE = 64  # bytes that come at a time


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
        builder.call(function, [byte, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64), generate


_interpreted: bool = getattr(numba.config, "DISABLE_JIT", False)
prefetch: Any = (lambda *_: None) if _interpreted else intrinsic(_prefetch)


@kernel
def fetch(rows, table):
    """Ask for these rows of a table."""
    width = table.strides[0]
    for k in range(rows.size):
        for offset in range(0, width, LINE):
            prefetch(table, rows[k], offset)
        prefetch(table, rows[k], width - 1)
