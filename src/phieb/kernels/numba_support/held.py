"""Many arrays passed to kernels as one object.

Unboxing an array takes 0.1 µs, and a decision needs fifty. A `Held` is unboxed as one object; its
arrays are unboxed only when it is made, that is, when one of them is replaced by a larger one.
Numba also emits incref/decref for every array taken from a tuple, which took a sixth of a decision:
we null `meminfo`, so that nothing is counted, and keep the arrays alive in `owner`. Therefore no
kernel may return one of these arrays to Python.
"""

from typing import Any, cast

import numba
from numba import types
from numba.core import cgutils
from numba.experimental import structref
from numba.extending import intrinsic

from phieb.kernels.numba_support.jit import kernel


@structref.register
class HeldType(types.StructRef):
    """The Numba type of `Held`."""

    def preprocess_fields(self, fields: Any) -> Any:
        """Field types, with literal types widened."""
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Held(structref.StructRefProxy):
    """A tuple of arrays for kernels, which read it as `held.tables`."""

    tables: Any
    owner: Any

    def __new__(cls, tables: Any) -> Any:
        """Used only with compilation disabled."""
        held = object.__new__(cls)
        held.tables = tables
        return held

    def __reduce__(self) -> Any:
        """Copies and unpickled objects hold copies of the arrays."""
        return hold, (self.owner,)


structref.define_constructor(Held, HeldType, ["tables"])
structref.define_attributes(HeldType)
structref.define_boxing(HeldType, Held)


def _borrow(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The value with `meminfo` of all its arrays null."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts = cgutils.unpack_tuple(builder, value)
        kinds = cast(Any, kind)
        borrowed = [_borrow(context, builder, *part) for part in zip(kinds, parts, strict=True)]
        return context.make_tuple(builder, kind, borrowed)
    return value


def _borrowed(typing_context: Any, tables: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _borrow(context, builder, signature.args[0], arguments[0])

    return tables(tables), generate


_interpreted: bool = getattr(numba.config, "DISABLE_JIT", False)
borrowed: Any = (lambda tables: tables) if _interpreted else intrinsic(_borrowed)


@kernel
def _hold(tables):
    return Held(borrowed(tables))


def hold(tables: tuple[Any, ...]) -> Held:
    """A `Held` of a tuple of arrays, numbers and tuples of these."""
    held: Held = _hold(tables)
    held.owner = tables  # keeps the arrays alive
    return held
