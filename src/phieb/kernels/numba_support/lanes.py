"""SIMD: arithmetic on vectors of four doubles.

LLVM vectorises a plain loop if it can prove that arrays do not overlap and how long they are. For
short rows of a large table it cannot, and the scalar code takes four times as long. Arithmetic is
in double precision, whatever the precision of the table.
"""

import operator
from typing import Any, ClassVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import ConcreteTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, models, register_jitable, register_model

LANES = 4


class LanesType(types.Type):
    """The Numba type of a vector."""

    def __init__(self) -> None:
        super().__init__("phieb.Lanes")


lanes_type = LanesType()
_doubles = ir.VectorType(ir.DoubleType(), LANES)


@register_model(LanesType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _doubles)


@register_jitable
def padded(size: int) -> int:
    """`size` rounded up to a multiple of `LANES`."""
    return -(-size // LANES) * LANES


def _place(context: Any, builder: Any, array: Any, value: Any, index: Any) -> Any:
    """The address of array[index], as a pointer to a vector."""
    struct = context.make_array(array)(context, builder, value)
    number = context.get_value_type(array.dtype)
    *strides, _ = cgutils.unpack_tuple(builder, struct.strides)
    strides.append(ir.IntType(64)(array.dtype.bitwidth // 8))
    place = builder.ptrtoint(struct.data, ir.IntType(64))
    for k, stride in zip(cgutils.unpack_tuple(builder, index), strides, strict=True):
        place = builder.add(place, builder.mul(k, stride))
    return builder.inttoptr(place, ir.VectorType(number, LANES).as_pointer())


def _load(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], *arguments)
        numbers = builder.load(place, align=array.dtype.bitwidth // 8)
        return numbers if array.dtype == types.float64 else builder.fpext(numbers, _doubles)

    return lanes_type(array, types.UniTuple(types.int64, array.ndim)), generate


def _store(typing_context: Any, array: Any, index: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], *arguments[:2])
        numbers = arguments[2]
        if array.dtype != types.float64:
            numbers = builder.fptrunc(numbers, place.type.pointee)
        builder.store(numbers, place, align=array.dtype.bitwidth // 8)
        return numbers if array.dtype == types.float64 else builder.fpext(numbers, _doubles)

    return lanes_type(array, types.UniTuple(types.int64, array.ndim), lanes_type), generate


def _spread(builder: Any, number: Any) -> Any:
    lanes = ir.Constant(_doubles, ir.Undefined)
    for k in range(LANES):
        lanes = builder.insert_element(lanes, number, ir.IntType(32)(k))
    return lanes


def _splat(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _spread(builder, arguments[0])

    return lanes_type(types.float64), generate


def _total(typing_context: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        a, b, c, d = (builder.extract_element(arguments[0], ir.IntType(32)(k)) for k in range(4))
        return builder.fadd(builder.fadd(a, b), builder.fadd(c, d))

    return types.float64(lanes_type), generate


def _arithmetic(function: Any, name: str) -> None:
    """Overload an operator for two vectors, or a vector and a number."""

    @infer_global(function)
    class _Takes(ConcreteTemplate):
        cases: ClassVar = [
            lanes_type(lanes_type, lanes_type),
            lanes_type(lanes_type, types.float64),
        ]

    @lower_builtin(function, LanesType, LanesType)
    def _lanes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*arguments)

    @lower_builtin(function, LanesType, types.Float)
    def _number(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, name)(arguments[0], _spread(builder, arguments[1]))


def _load_interpreted(array: Any, index: Any) -> Any:
    if not 0 <= index[-1] <= array.shape[-1] - LANES:
        raise IndexError(f"no {LANES} numbers from {index} on in {array.shape}")
    return array[index[:-1]][index[-1] : index[-1] + LANES].astype(np.float64)


def _store_interpreted(array: Any, index: Any, lanes: Any) -> Any:
    _load_interpreted(array, index)
    array[index[:-1]][index[-1] : index[-1] + LANES] = lanes
    return _load_interpreted(array, index)


def _total_interpreted(lanes: Any) -> Any:
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])


_interpreted: bool = getattr(numba.config, "DISABLE_JIT", False)
# The vector array[index], …, array[index + 3], along the last axis.
load: Any = _load_interpreted if _interpreted else intrinsic(_load)
# Write a vector there; returns what was written, rounded to the array's precision.
store: Any = _store_interpreted if _interpreted else intrinsic(_store)
# A vector with one number in all lanes.
splat: Any = (lambda x: np.full(LANES, x)) if _interpreted else intrinsic(_splat)
# The sum of the lanes.
total: Any = _total_interpreted if _interpreted else intrinsic(_total)

if not _interpreted:
    for _function, _name in (
        (operator.add, "fadd"),
        (operator.sub, "fsub"),
        (operator.mul, "fmul"),
        (operator.truediv, "fdiv"),
    ):
        _arithmetic(_function, _name)
