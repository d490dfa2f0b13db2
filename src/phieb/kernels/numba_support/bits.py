"""Bit operations on 64-bit words."""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

ZERO, ONE, EIGHT, WORD = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(64)
BYTE = np.uint64(255)
COLOUR_BITS = np.uint64(0xFEFEFEFEFEFEFEFE)  # the lowest bit of a palette byte is unused


def _count_trailing_zeros(typing_context: Any, word: Any) -> Any:
    """LLVM's cttz, which Numba does not expose."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


def _count_leading_zeros(typing_context: Any, word: Any) -> Any:
    """LLVM's ctlz."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


def _test_bytes(typing_context: Any, word: Any) -> Any:
    """Compare the eight bytes with 0, as one vector."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.VectorType(ir.IntType(8), 8)
        differs = builder.icmp_unsigned(
            "!=", builder.bitcast(arguments[0], kind), ir.Constant(kind, None)
        )
        return builder.zext(builder.bitcast(differs, ir.IntType(8)), ir.IntType(64))

    return types.uint64(types.uint64), generate


def _lowest_bit(word: np.uint64) -> int:
    return (int(word) & -int(word)).bit_length() - 1


def _bits_above(word: np.uint64) -> int:
    return 64 - int(word).bit_length()


def _bytes_on(word: np.uint64) -> np.uint64:
    return np.uint64(sum((int(word) >> (8 * k) & 255 != 0) << k for k in range(8)))


_interpreted: bool = getattr(numba.config, "DISABLE_JIT", False)
# The index of the lowest set bit; the word must not be 0.
lowest_bit: Any = _lowest_bit if _interpreted else intrinsic(_count_trailing_zeros)
# The number of zeros above the highest set bit; the word must not be 0.
bits_above: Any = _bits_above if _interpreted else intrinsic(_count_leading_zeros)
# Eight bits: which bytes of a word are not 0.
bytes_on: Any = _bytes_on if _interpreted else intrinsic(_test_bytes)
