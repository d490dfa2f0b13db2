"""The base class of bonuses that wrap another bonus."""

from phieb.novelty.base import Bonus
from phieb.novelty.bonus import PhiBonus
from phieb.novelty.density import VisitDensity


class BonusAround(Bonus):
    """A bonus that wraps another, and has its pseudocounts and its memory.

    Args:
        bonus: the wrapped bonus.
    """

    def __init__(self, bonus: Bonus) -> None:
        self.bonus = bonus

    @property
    def pseudocount(self) -> float:  # type: ignore[override]  # read only
        """The pseudocount of the last observation."""
        return self.bonus.pseudocount

    @property
    def remembers(self) -> bool:
        """Whether it remembers the previous observation."""
        return self.bonus.remembers

    def reset(self) -> None:
        """Start an episode: forget the previous observation."""
        self.bonus.reset()


def innermost(bonus: Bonus | None) -> Bonus | None:
    """The bonus; of a shortfall, the one that it is made from."""
    while isinstance(bonus, BonusAround):
        bonus = bonus.bonus
    return bonus


def visits_of(bonus: Bonus | None) -> VisitDensity | None:
    """How often features were on, if a bonus counts them."""
    inner = innermost(bonus)
    density = inner.density if isinstance(inner, PhiBonus) else None
    return density if isinstance(density, VisitDensity) else None
