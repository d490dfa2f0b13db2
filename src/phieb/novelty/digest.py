"""A short hash of an observation."""

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments

DIGEST_SIZE = 16  # bytes


def digest(name: str, seen: Any) -> bytes:
    """A 16-byte BLAKE2b hash of an observation: equal for equal ones, on every machine.

    Integers of different width are equal, and so are floats; 1 and 1.0 are different, and so are 1
    and [1], or arrays of different shapes. Tuples are equal if their parts are.

    Among 10⁹ different observations the probability of a collision is 10⁻²¹.

    Args:
        name: name of the argument in errors.
        seen: a number, bytes, an array or list of numbers, or a tuple of these.
    """
    if isinstance(seen, tuple):
        return _hashed("tuple", b"".join(digest(name, part) for part in seen))
    if isinstance(seen, bytes):
        return _hashed("bytes", seen)
    array = _canonical(name, seen)
    return _hashed(f"{array.dtype.str}{array.shape}", array.tobytes())


def _hashed(kind: str, data: bytes) -> bytes:
    code = blake2b(kind.encode(), digest_size=DIGEST_SIZE)
    code.update(data)
    return code.digest()


def _canonical(name: str, seen: Any) -> NDArray[Any]:
    """A canonical array: the same dtype and bytes for equal observations."""
    array = arguments.array(name, seen)
    if array.dtype.kind in "biu" or not array.size:
        # The narrowest dtype that holds them: screens stay bytes.
        forms = (array.astype(dtype) for dtype in ("|u1", "<i8", "<u8"))
        return next(form for form in forms if np.array_equal(form, array))
    if array.dtype.kind == "f":
        if np.isnan(array).any():
            place = np.argwhere(np.isnan(array))[0].tolist()
            raise ValueError(
                f"{name} must not hold NaN{f', as it does at {place}' if place else ''}"
            )
        return array.astype("<f8") + 0.0  # −0.0 is 0.0
    got = f"dtype {array.dtype}" if isinstance(seen, np.ndarray | list) else type(seen).__name__
    raise TypeError(f"{name} must be numbers, bytes or a tuple of these, got {got}")
