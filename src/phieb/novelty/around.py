"""What a bonus around another bonus leaves to it."""

from phieb.novelty.base import Bonus


class BonusAround(Bonus):
    """Counts, remembers and starts episodes as another bonus does.

    Args:
        bonus: the other.
    """

    def __init__(self, bonus: Bonus) -> None:
        self.bonus = bonus

    @property
    def pseudocount(self) -> float:  # type: ignore[override]  # read only
        """Of the last observation, as the bonus has it."""
        return self.bonus.pseudocount

    @property
    def remembers(self) -> bool:
        """Whether it remembers the observation before."""
        return self.bonus.remembers

    def reset(self) -> None:
        """An episode starts."""
        self.bonus.reset()
