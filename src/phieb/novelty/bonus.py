"""The φ-exploration bonus (Definition 3)."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.novelty.base import BONUSES, Bonus
from phieb.novelty.density import VisitDensity
from phieb.novelty.pseudocounts import pseudocount
from phieb.sparse.active_set import ActiveSet


@runtime_checkable
class Density(Protocol):
    """A density model that a pseudocount can be derived from."""

    def observe(self, active: Any, /) -> tuple[float, float]:
        """Observe φ; returns log ρ_t(φ) and log ρ_{t+1}(φ)."""

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""

    def state(self) -> Mapping[str, NDArray[Any]]:
        """Everything learnt, as arrays."""

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""


class PhiBonus(Bonus):
    """R(φ) = β/√(N̂(φ) + κ) (Definition 3; κ bounds the bonus by β/√κ).

    By default the count per feature N̄ replaces N̂: Definition 2 applied to the geometric mean
    ρ^(1/k) of the factors, where k is the number of active features. For a state whose k features
    were seen N times each, N̂ is about N/k or less and N̄ about N, so that β need not change with k
    (docs/count-per-feature.md). For k ≤ 1 the two are equal. N̄ of a new state is usually about ½,
    but only κ bounds the bonus in every case.

    Args:
        beta: β, the scale of the bonus.
        kappa: κ, added to the pseudocount. The paper has none; see docs/deviations.md.
        density: the visit-density; by default `VisitDensity()`.
        per_feature: use the count per feature N̄ or, if False, the paper's N̂.

    Attributes:
        pseudocount: N̂ or N̄ of the last observation (0 before the first).

    Example:
        >>> phi_bonus = PhiBonus(beta=0.05, per_feature=False)
        >>> first, again = phi_bonus.observe([3, 8]), phi_bonus.observe([3, 8])
        >>> first > again > 0
        True
    """

    def __init__(
        self,
        beta: float = 0.3,
        kappa: float = 0.01,
        density: Density | None = None,
        per_feature: bool = True,
    ) -> None:
        self.beta = arguments.number("beta", beta, low=0.0)
        self.kappa = arguments.number("kappa", kappa, above=0.0)
        self.per_feature = arguments.flag("per_feature", per_feature)
        self.density: Density = VisitDensity() if density is None else density
        if not isinstance(self.density, Density):
            raise TypeError(
                f"density must have observe, settings, state and restore, got {density!r}"
            )
        self.pseudocount = 0.0

    @property
    def largest(self) -> float:
        """β/√κ, the upper bound of the bonus; also the authors' optimistic initial value."""
        return self.beta / math.sqrt(self.kappa)

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Observe the active features `seen`; returns the bonus."""
        # Algorithm 1: compute ρ_t(φ), update, compute ρ_{t+1}(φ) (in the density), then N̂.
        self.pseudocount = self._pseudocount(seen, self.density.observe)
        return self._bonus(self.pseudocount)  # R = β/√(N̂ + κ)

    def peek(self, seen: Any, action: int | None = None) -> tuple[float, float]:
        """The pseudocount and the bonus that observing `seen` would give; nothing is counted.

        As quick as `observe` with a density that has a `peek` too; else a copy of it observes.
        """
        peek = getattr(self.density, "peek", None)
        if peek is None:
            return super().peek(seen, action)
        count = self._pseudocount(seen, peek)
        return count, self._bonus(count)

    def _pseudocount(self, seen: Any, densities: Callable[[Any], tuple[float, float]]) -> float:
        """N̂ or N̄ of `seen`; `densities` is `observe` or `peek` of the density."""
        log_rho, log_rho_prime = densities(seen)
        k = max(_size(seen), 1) if self.per_feature else 1
        return pseudocount(log_rho / k, log_rho_prime / k)

    def _bonus(self, count: float) -> float:
        return self.beta / math.sqrt(count + self.kappa)

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore` of a bonus with the same settings."""
        return {"pseudocount": np.array([self.pseudocount]), **self.density.state()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        last = arguments.array_part("state", state, "pseudocount", np.float64, (1,)).item()
        if not last >= 0.0:
            raise ValueError(f"state['pseudocount'] must be >= 0, got {last}")
        self.density.restore(state)
        self.pseudocount = last

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        density = {"density": type(self.density).__name__, **self.density.settings()}
        return {
            "beta": self.beta,
            "kappa": self.kappa,
            "per_feature": self.per_feature,
            **density,
        }


@BONUSES.declare("phi", label="φ-EB", citation="Martin et al. 2017")
def phi(
    beta: float,
    kappa: float,
    first_sight: float,
    per_feature: bool,
    active_set: ActiveSet | None = None,
) -> PhiBonus:
    """The φ-exploration bonus: large for features that were seldom seen."""
    density = VisitDensity(first_sight=first_sight, active_set=active_set)
    return PhiBonus(beta, kappa, density, per_feature)


def _size(seen: Any) -> int:
    """The number of active features, or of values of a vector or an image."""
    return int(seen.size) if isinstance(seen, np.ndarray) else len(seen)
