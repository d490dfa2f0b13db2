"""The two φ-pseudocounts of Definition 2, from log densities, since densities underflow."""

import math

import numpy as np

from phieb import arguments


def pseudocount(log_rho: float, log_rho_prime: float) -> float:
    """The φ-pseudocount N̂ (Definition 2).

    N̂ = ρ(1 − ρ′)/(ρ′ − ρ) = (1 − ρ′)/(e^L − 1), with the gain L = log ρ′ − log ρ.

    Two limits: N̂ = 0 if ρ = 0, and N̂ = ∞ if L ≤ 0 (Bellemare et al. 2016 clip L at 0).

    Args:
        log_rho: log ρ_t(φ), before observing φ.
        log_rho_prime: log ρ′_t(φ), after observing φ.

    Example:
        >>> round(pseudocount(math.log(3 / 10), math.log(4 / 11)), 9)  # seen 3 times in 10
        3.0
    """
    log_rho = _log_probability("log_rho", log_rho)
    log_rho_prime = _log_probability("log_rho_prime", log_rho_prime)
    if log_rho == -math.inf:
        return 0.0
    gain = log_rho_prime - log_rho
    if gain <= 0.0:
        return math.inf
    # 1/(e^L − 1) = e^(−L)/(1 − e^(−L)), which cannot overflow.
    return abs(math.expm1(log_rho_prime) * math.exp(-gain) / math.expm1(-gain))


def naive_pseudocount(t: int, log_rho: float) -> float:
    """The naive φ-pseudocount Ñ = t·ρ_t(φ) (Definition 2).

    Args:
        t: the number of feature vectors observed.
        log_rho: log ρ_t(φ).
    """
    return arguments.whole("t", t) * math.exp(_log_probability("log_rho", log_rho))


def _log_probability(name: str, value: float) -> float:
    if type(value) is float and value <= 0.0:  # what densities return: quickly
        return value
    if np.ndim(value) == 0 and value == -math.inf:
        return -math.inf
    return arguments.number(name, value, high=0.0, kind="a number or -inf,")
