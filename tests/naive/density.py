"""Visit-densities from the whole history, component by component."""

import math
from collections.abc import Iterable, Sequence


def dense_log_density(
    history: Sequence[Sequence[int]], phi: Sequence[int], estimator: str = "kt"
) -> float:
    """Log Π_i ρ_t^i(φ_i) over all components of dense vectors, by counting the history (Def. 1)."""
    t = len(history)
    log_rho = 0.0
    for i, value in enumerate(phi):
        n = sum(past[i] == value for past in history)
        factor = (n + 0.5) / (t + 1) if estimator == "kt" else n / t
        log_rho += math.log(factor) if factor > 0 else -math.inf
    return log_rho


def leave_out_log_density(history: Sequence[Iterable[int]], active: Iterable[int]) -> float:
    """Log ρ_t with KT factors, over the features observed so far or active now."""
    sets, on = [set(past) for past in history], set(active)
    features = sorted(on.union(*sets))
    dense = [[int(i in past) for i in features] for past in sets]
    return dense_log_density(dense, [int(i in on) for i in features])


def kt_log_density_and_gain(
    counts: Sequence[int], t: int, on: Iterable[int]
) -> tuple[float, float]:
    """Log ρ_t and L over all features with these counts, term by term (ALGORITHM §3)."""
    is_on = set(on)
    seen = [n if i in is_on else t - n for i, n in enumerate(counts)]
    log_rho = math.fsum(math.log((n + 0.5) / (t + 1)) for n in seen)
    gain = math.fsum(math.log1p(1 / (n + 0.5)) for n in seen)
    return log_rho, gain - len(seen) * math.log1p(1 / (t + 1))
