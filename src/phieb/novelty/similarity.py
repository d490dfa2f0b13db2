"""The similarity of the paper's Theorem 1."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments


def hamming_similarity(phi: ArrayLike, phi_prime: ArrayLike) -> float:
    """Sim(φ, φ′) = 1 − ‖φ − φ′‖₁/M for binary vectors of length M (Definition 4).

    Example:
        >>> hamming_similarity([0, 1, 0, 1], [0, 1, 1, 1])
        0.75
    """
    a, b = _binary("phi", phi), _binary("phi_prime", phi_prime)
    if a.shape != b.shape:
        raise ValueError(f"phi_prime must have phi's shape {a.shape}, got {b.shape}")
    return 1.0 - float(np.count_nonzero(a != b)) / a.size


def _binary(name: str, vector: ArrayLike) -> NDArray[np.bool_]:
    array = arguments.array(name, vector)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a binary vector of length >= 1, got shape {array.shape}")
    if not np.isin(array, (0, 1)).all():
        raise ValueError(f"{name} must hold only 0 and 1")
    return array.astype(bool)
