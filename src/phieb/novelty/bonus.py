"""The φ-exploration bonus (Definition 3)."""

import math
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.novelty.base import Bonus
from phieb.novelty.density import VisitDensity
from phieb.novelty.pseudocounts import pseudocount


@runtime_checkable
class Density(Protocol):
    """A density model that a pseudocount can be derived from."""

    def observe(self, active: Any, /) -> tuple[float, float]:
        """Log ρ_t(φ), then learn φ, then log ρ_{t+1}(φ)."""

    def settings(self) -> dict[str, Any]:
        """What the density was made with, as JSON would have it."""

    def state(self) -> Mapping[str, NDArray[Any]]:
        """Everything learnt, as arrays."""

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""


class PhiBonus(Bonus):
    """R(φ) = β/√(N̂(φ) + κ) (Definition 3; κ bounds the bonus of what was never seen, by β/√κ).

    Args:
        beta: β, the scale of the bonus.
        kappa: κ, added to the pseudocount. The paper has none; see docs/deviations.md.
        density: the visit-density to count with; by default `VisitDensity()`.

    Attributes:
        pseudocount: N̂ of the last observation (0 before the first).

    Example:
        >>> phi_bonus = PhiBonus(beta=0.05)
        >>> first, again = phi_bonus.observe([3, 8]), phi_bonus.observe([3, 8])
        >>> first > again > 0
        True
    """

    def __init__(
        self, beta: float = 0.05, kappa: float = 0.01, density: Density | None = None
    ) -> None:
        self.beta = arguments.number("beta", beta, low=0.0)
        self.kappa = arguments.number("kappa", kappa, above=0.0)
        self.density: Density = VisitDensity() if density is None else density
        if not isinstance(self.density, Density):
            raise TypeError(
                f"density must have observe, settings, state and restore, got {density!r}"
            )
        self.pseudocount = 0.0

    @property
    def largest(self) -> float:
        """β/√κ, the bonus of what was never seen; also the authors' optimistic start."""
        return self.beta / math.sqrt(self.kappa)

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Count the features that are on, `seen`, and return the bonus of having seen them."""
        self.pseudocount = self._count(seen)
        return self.beta / math.sqrt(self.pseudocount + self.kappa)

    def _count(self, seen: Any) -> float:
        """Observe φ, and return its pseudocount."""
        return pseudocount(*self.density.observe(seen))

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays, for `restore` of a bonus with the same settings."""
        return {"pseudocount": np.array([self.pseudocount]), **self.density.state()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        last = arguments.array_part("state", state, "pseudocount", np.float64, (1,)).item()
        if not last >= 0.0:
            raise ValueError(f"state['pseudocount'] must be >= 0, got {last}")
        self.density.restore(state)
        self.pseudocount = last

    def settings(self) -> dict[str, Any]:
        """What the bonus was made with, as JSON would have it."""
        density = {"density": type(self.density).__name__, **self.density.settings()}
        return {"beta": self.beta, "kappa": self.kappa, **density}
