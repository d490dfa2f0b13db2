"""Many arrays handed over as one thing.

To hand an array to compiled code takes a tenth of a microsecond, and a decision needs fifty. Held
together, they are handed over once, when one of them is replaced by a larger one. And they are only
lent: compiled code counts who uses an array wherever it takes one out of a tuple, which made up a
sixth of a decision. Arrays that nobody is said to own are not counted; the owner is kept here. No
kernel may return one of them to Python.
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
    """What Numba knows of it."""

    def preprocess_fields(self, fields: Any) -> Any:
        """Fields as they are, but for what is only known of literals."""
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Held(structref.StructRefProxy):
    """What was handed over; kernels find it in `tables`."""

    tables: Any
    owner: Any

    def __new__(cls, tables: Any) -> Any:
        """In plain Python, where nothing is compiled."""
        held = object.__new__(cls)
        held.tables = tables
        return held

    def __reduce__(self) -> Any:
        """A copy, or what is unpickled, holds copies."""
        return hold, (self.owner,)


structref.define_constructor(Held, HeldType, ["tables"])
structref.define_attributes(HeldType)
structref.define_boxing(HeldType, Held)


def _lend(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The same without an owner: an array, or those in a tuple."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts = cgutils.unpack_tuple(builder, value)
        kinds = cast(Any, kind)
        lent = [_lend(context, builder, *part) for part in zip(kinds, parts, strict=True)]
        return context.make_tuple(builder, kind, lent)
    return value


def _lent(typing_context: Any, tables: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _lend(context, builder, signature.args[0], arguments[0])

    return tables(tables), generate


_interpreted: bool = getattr(numba.config, "DISABLE_JIT", False)
lent: Any = (lambda tables: tables) if _interpreted else intrinsic(_lent)


@kernel
def _hold(tables):
    return Held(lent(tables))


def hold(tables: tuple[Any, ...]) -> Held:
    """Hold a tuple of arrays, numbers and tuples of these."""
    held: Held = _hold(tables)
    held.owner = tables  # as long as it is held, it is there
    return held
