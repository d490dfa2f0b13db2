"""No bonus: the agent explores with ε-greedy alone."""

from phieb.novelty.base import BONUSES


@BONUSES.declare("none", label="ε")
def no_bonus() -> None:
    """No bonus: ε-greedy alone."""
