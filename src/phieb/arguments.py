"""What an argument may be: each check returns the clean value or raises one clear line."""

import math
import numbers
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MAX_ID = 2**63 - 1


def number(
    name: str,
    value: object,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    above: float | None = None,
) -> float:
    """A finite real number in [low, high] (with `above`, strictly greater than that)."""
    accepted = _range_words("a finite number", low, high, above)
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be {accepted}, got {value!r}")
    x = float(value)
    if not (math.isfinite(x) and low <= x <= high and (above is None or x > above)):
        raise ValueError(f"{name} must be {accepted}, got {value!r}")
    return x


def whole(name: str, value: object, *, low: int = 0, high: float = math.inf) -> int:
    """A whole number in [low, high]."""
    accepted = _range_words("a whole number", low, high, None)
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be {accepted}, got {value!r}")
    n = int(value)
    if not low <= n <= high:
        raise ValueError(f"{name} must be {accepted}, got {value!r}")
    return n


def one_of(name: str, value: object, choices: Sequence[str]) -> str:
    """One of the words in `choices`."""
    if not isinstance(value, str) or value not in choices:
        accepted = " or ".join(f'"{choice}"' for choice in choices)
        raise ValueError(f"{name} must be {accepted}, got {value!r}")
    return value


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def feature_ids(name: str, ids: object, size: int | None = None) -> NDArray[np.int64]:
    """Ids of active features: a flat array of whole numbers in [0, size), each at most once."""
    array = np.asarray(ids)
    if array.ndim != 1:
        raise ValueError(f"{name} must be a flat list of feature ids, got shape {array.shape}")
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold whole-number feature ids, got dtype {array.dtype}")
    largest = MAX_ID if size is None else size - 1
    if array.min() < 0 or array.max() > largest:
        wrong = array[(array < 0) | (array > largest)][0]
        raise ValueError(f"{name} must hold feature ids in [0, {largest}], got {wrong}")
    if np.unique(array).size != array.size:
        raise ValueError(f"{name} must list each feature id once (ids, not a binary vector)")
    return array.astype(np.int64)


def _range_words(kind: str, low: float, high: float, above: float | None) -> str:
    if above is not None:
        return f"{kind} > {above:g}" + (f" and <= {high:g}" if math.isfinite(high) else "")
    if math.isfinite(low) and math.isfinite(high):
        return f"{kind} in [{low:g}, {high:g}]"
    if math.isfinite(low):
        return f"{kind} >= {low:g}"
    return f"{kind} <= {high:g}" if math.isfinite(high) else kind
