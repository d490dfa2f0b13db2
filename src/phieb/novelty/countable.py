"""The visit-density for features with values in any countable set 𝒰, not only {0, 1}."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments

Vector = tuple[Any, ...] | list[Any] | NDArray[np.generic]
Value = bool | int | float | str | tuple["Value", ...]


class CountableDensity:
    """ρ_t(φ) = Π_i ρ_t^i(φ_i), each φ_i from a countable set (Definition 1).

    If component i had the value φ_i N times, its factor is the KT estimate for an alphabet of K
    values, (N + ½)/(t + K/2), for K = 2 the paper's; without an alphabet size it is the empirical
    estimate N/t.

    Args:
        num_components: length of the feature vectors.
        alphabet_size: K, one number or one for each component; None: the empirical estimator.

    Example:
        >>> density = CountableDensity(2, alphabet_size=3)
        >>> _ = density.observe(["red", 4])
        >>> round(math.exp(density.log_density(["red", 5])), 9)  # 1.5/2.5 · 0.5/2.5
        0.12
    """

    def __init__(
        self, num_components: int, alphabet_size: int | Sequence[int] | None = None
    ) -> None:
        self.num_components = arguments.whole("num_components", num_components, low=1)
        self.alphabet_size = _alphabet_sizes(alphabet_size, self.num_components)
        self.t = 0
        self._counts: list[Counter[Value]] = [Counter() for _ in range(self.num_components)]

    def log_density(self, values: Vector) -> float:
        """Log ρ_t(φ) of the vector φ = `values`."""
        return self._log_product(self._checked(values))

    def observe(self, values: Vector) -> tuple[float, float]:
        """Observe φ (Algorithm 1: ρ_t, update, ρ_{t+1}); returns log ρ_t(φ) and log ρ_{t+1}(φ)."""
        phi = self._checked(values)
        log_rho = self._log_product(phi)
        for counter, value in zip(self._counts, phi, strict=True):
            counter[value] += 1
        self.t += 1
        return log_rho, self._log_product(phi)

    def peek(self, values: Vector) -> tuple[float, float]:
        """Log ρ_t(φ) and log ρ_{t+1}(φ) as `observe` would return them; nothing is counted."""
        phi = self._checked(values)
        return self._log_product(phi), self._log_product(phi, more=1)

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        return {"num_components": self.num_components, "alphabet_size": self.alphabet_size}

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Everything learnt, as arrays for `restore` of a density with the same settings."""
        pairs = [list(counter.items()) for counter in self._counts]
        text = json.dumps(pairs).encode()
        return {"t": np.array([self.t]), "counts_json": np.frombuffer(text, np.uint8).copy()}

    def restore(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Continue from a saved `state`."""
        t = arguments.whole("state['t']", np.asarray(arguments.part("state", state, "t")).item())
        text = arguments.part("state", state, "counts_json")
        try:
            pairs = json.loads(bytes(np.asarray(text, np.uint8)))
            counts = [
                Counter({_value("v", v): arguments.whole("n", n, low=1) for v, n in component})
                for component in pairs
            ]
            whole = len(counts) == self.num_components and all(c.total() == t for c in counts)
            if self.alphabet_size is not None:
                sizes = zip(counts, self.alphabet_size, strict=True)
                whole = whole and all(len(c) <= size for c, size in sizes)
        except (ValueError, TypeError, RecursionError):
            whole = False
        if not whole:
            raise ValueError(
                f"state['counts_json'] must hold {self.num_components} tables of counts, none with "
                f"more values than its alphabet, that each add up to t = {t}"
            )
        self.t, self._counts = t, counts

    def _log_product(self, phi: Sequence[Value], more: int = 0) -> float:
        """Log ρ(φ) after observing φ `more` times."""
        return math.fsum(self._log_factor(i, value, more) for i, value in enumerate(phi))

    def _log_factor(self, i: int, value: Value, more: int) -> float:
        n, t = self._counts[i][value] + more, self.t + more
        if self.alphabet_size is not None:
            return _log_ratio(n + 0.5, t + self.alphabet_size[i] / 2)
        return _log_ratio(n, t) if n else -math.inf

    def _checked(self, values: Vector) -> list[Value]:
        ordered = isinstance(values, tuple | list) or getattr(values, "ndim", 0) == 1
        if not ordered or len(values) != self.num_components:
            raise ValueError(
                f"values must have one entry for each of {self.num_components} components, "
                f"got {values!r}"
            )
        phi = [_value(f"values[{i}]", value) for i, value in enumerate(values)]
        if self.alphabet_size is not None:
            for i, value in enumerate(phi):
                seen, size = self._counts[i], self.alphabet_size[i]
                if value not in seen and len(seen) >= size:
                    raise ValueError(
                        f"values[{i}] must come from an alphabet of {size} values, got a "
                        f"further one, {value!r}"
                    )
        return phi


def _log_ratio(part: float, whole: float) -> float:
    """log(part/whole), accurate also if the two are nearly equal."""
    return math.log1p((part - whole) / whole) if 2 * part > whole else math.log(part / whole)


def _alphabet_sizes(sizes: int | Sequence[int] | None, dims: int) -> list[int] | None:
    if sizes is None:
        return None
    each = list(sizes) if isinstance(sizes, Sequence | np.ndarray) else [sizes] * dims
    if len(each) != dims:
        raise ValueError(f"alphabet_size must be one number or {dims} of them, got {len(each)}")
    return [arguments.whole("alphabet_size", size, low=2) for size in each]


def _value(name: str, value: object) -> Value:
    """The plain Python value: 3 and np.int64(3) are the same, and can be saved as JSON."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple | list):
        return tuple(_value(name, part) for part in value)
    if isinstance(value, float) and math.isnan(value):
        raise ValueError(f"{name} must not be NaN")
    if isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"{name} must be a number, a string or a tuple of these, got {value!r}")
