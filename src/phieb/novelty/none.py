"""No bonus: the agent explores by ε-greedy actions only."""

from phieb.novelty.base import BONUSES


@BONUSES.declare("none", label="ε")
def no_bonus() -> None:
    """No bonus: ε-greedy actions only."""
