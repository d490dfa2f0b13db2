"""Many arrays handed over as one thing.

To hand an array to compiled code takes a tenth of a microsecond, and a decision needs fifty. Held
together, they are handed over once, when one of them is replaced by a larger one.
"""

from typing import Any

from numba import types
from numba.experimental import structref

from phieb.kernels.jit import kernel


@structref.register
class HeldType(types.StructRef):
    """What Numba knows of it."""

    def preprocess_fields(self, fields: Any) -> Any:
        """Fields as they are, but for what is only known of literals."""
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Held(structref.StructRefProxy):
    """What was handed over; kernels find it in `tables`."""

    tables: Any

    def __new__(cls, tables: Any) -> Any:
        """In plain Python, where nothing is compiled."""
        held = object.__new__(cls)
        held.tables = tables
        return held


structref.define_constructor(Held, HeldType, ["tables"])
structref.define_attributes(HeldType)
structref.define_boxing(HeldType, Held)


@kernel
def hold(tables):
    """Hold a tuple of arrays, numbers and tuples of these."""
    return Held(tables)
