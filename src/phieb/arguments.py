"""Validation of arguments: each check returns the converted value or raises a one-line error."""

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_ID = 2**63 - 2  # tables store id + 1


def number(
    name: str,
    value: object,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    above: float | None = None,
    kind: str = "a finite number",
) -> float:
    """A finite real number in [low, high], and greater than `above` if that is given."""
    accepted = _range_words(kind, low, high, above)
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be {accepted}, got {value!r}")
    try:
        x = float(value)
    except OverflowError:
        x = math.inf
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
    """One of the strings in `choices`."""
    if not isinstance(value, str) or value not in choices:
        accepted = " or ".join(f'"{choice}"' for choice in choices)
        raise ValueError(f"{name} must be {accepted}, got {value!r}")
    return value


def generator(name: str, seed: object) -> np.random.Generator:
    """A random generator from a seed: a whole number >= 0, or None for a seed from the system."""
    return np.random.default_rng(None if seed is None else whole(name, seed))


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def array(name: str, value: object, dtype: type | None = None) -> NDArray[Any]:
    """A value that NumPy can convert to an array; ragged lists are refused."""
    try:
        return np.asarray(value, dtype)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array of numbers, got {value!r}") from None


class NotFiniteError(ValueError):
    """An environment returned NaN or infinity."""


def finite(name: str, numbers: NDArray[Any]) -> None:
    """Finite numbers only; of those that are not the first is named by its place."""
    if not np.isfinite(numbers).all():
        at = tuple(np.argwhere(~np.isfinite(numbers))[0].tolist())
        place = f"[{', '.join(map(str, at))}]" if at else ""
        raise NotFiniteError(f"{name}{place} must be a finite number, got {numbers[at]}")


def feature_ids(name: str, ids: object, size: int | None = None) -> NDArray[np.int64]:
    """Ids of active features: a flat array of whole numbers in [0, size), each at most once."""
    flat = array(name, ids)
    if flat.ndim != 1:
        raise ValueError(f"{name} must be a flat list of feature ids, got shape {flat.shape}")
    if flat.size == 0:
        return np.empty(0, np.int64)
    if flat.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold whole-number feature ids, got dtype {flat.dtype}")
    largest = MAX_ID if size is None else size - 1
    if flat.min() < 0 or flat.max() > largest:
        wrong = flat[(flat < 0) | (flat > largest)][0]
        raise ValueError(f"{name} must hold feature ids in [0, {largest}], got {wrong}")
    # Strictly ascending ids, as from maps of screens, are distinct: this saves the sorting.
    if not (flat[:-1] < flat[1:]).all() and np.unique(flat).size != flat.size:
        raise ValueError(f"{name} must list each feature id once (ids, not a vector of 0 and 1)")
    return flat.astype(np.int64)


def part(name: str, mapping: Mapping[str, Any], key: str) -> Any:
    """The value of a required key of a mapping."""
    if key not in mapping:
        raise ValueError(f"{name} must have {key!r}, got {sorted(mapping)}")
    return mapping[key]


def array_part(
    name: str, mapping: Mapping[str, Any], key: str, dtype: type, shape: tuple[int | None, ...]
) -> NDArray[Any]:
    """The array under a required key, of this dtype and shape; None means any length."""
    found = np.asarray(part(name, mapping, key))
    fits = found.ndim == len(shape) and all(
        want in (None, have) for want, have in zip(shape, found.shape, strict=True)
    )
    if found.dtype != dtype or not fits:
        accepted = f"{np.dtype(dtype)} {shape}".replace("None", "any")
        raise ValueError(f"{name}[{key!r}] must be {accepted}, got {found.dtype} {found.shape}")
    return found


def height_and_width(name: str, size: object, most: int) -> tuple[int, int]:
    """Two whole numbers in [1, most]."""
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise ValueError(f"{name} must be (height, width), got {size!r}")
    height, width = (whole(name, n, low=1, high=most) for n in size)
    return height, width


def _range_words(kind: str, low: float, high: float, above: float | None) -> str:
    if above is not None:
        return f"{kind} > {above:g}" + (f" and <= {high:g}" if math.isfinite(high) else "")
    if math.isfinite(low) and math.isfinite(high):
        return f"{kind} in [{low:g}, {high:g}]"
    if math.isfinite(low):
        return f"{kind} >= {low:g}"
    return f"{kind} <= {high:g}" if math.isfinite(high) else kind
