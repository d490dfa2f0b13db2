"""The φ-exploration bonus with the naive pseudocount (Definition 2)."""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from phieb.novelty.base import BONUSES
from phieb.novelty.bonus import Density, PhiBonus
from phieb.novelty.density import VisitDensity
from phieb.novelty.pseudocounts import naive_pseudocount


@runtime_checkable
class TimedDensity(Density, Protocol):
    """A density that knows its number of observations."""

    @property
    def t(self) -> int:
        """The number of feature vectors observed."""


class NaivePhiBonus(PhiBonus):
    """R(φ) = β/√(Ñ(φ) + κ), with the naive pseudocount Ñ = t·ρ_t(φ) (§3.2).

    ρ_t is a product over features: with thousands of them it is practically 0 for all but the most
    frequent states, so that the bonus is always at its maximum.

    Args:
        beta: β, the scale of the bonus.
        kappa: κ, added to the pseudocount.
        density: the visit-density, which must have `t`; by default `VisitDensity()`.

    Attributes:
        pseudocount: Ñ of the last observation (0 before the first).

    Example:
        >>> bonus = NaivePhiBonus(beta=1.0)
        >>> _ = bonus.observe([3])
        >>> _ = bonus.observe([3])
        >>> bonus.pseudocount  # ρ_1 = (1 + ½)/(1 + 1)
        0.75
    """

    density: TimedDensity

    def __init__(
        self, beta: float = 0.05, kappa: float = 0.01, density: TimedDensity | None = None
    ) -> None:
        super().__init__(beta, kappa, density, per_feature=False)
        if not isinstance(self.density, TimedDensity):
            raise TypeError(f"density must have t, its number of observations, got {density!r}")

    def _pseudocount(self, seen: Any, densities: Callable[[Any], tuple[float, float]]) -> float:
        t = self.density.t
        log_rho, _ = densities(seen)
        return naive_pseudocount(t, log_rho)


@BONUSES.declare("naive-phi", label="naive-φ", citation="Martin et al. 2017, §3.2")
def naive_phi(beta: float, kappa: float, first_sight: float) -> NaivePhiBonus:
    """The naive pseudocount t·ρ, which the paper argues against."""
    return NaivePhiBonus(beta, kappa, VisitDensity(first_sight=first_sight))
