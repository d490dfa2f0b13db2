"""The base class of bonuses that wrap another bonus."""

from phieb.novelty.base import Bonus


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
