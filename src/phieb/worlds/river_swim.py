"""RiverSwim (Strehl & Littman 2008)."""

from phieb.worlds.tabular import Outcome, TabularWorld, tables

LEFT, RIGHT = 0, 1
NUM_STATES = 6


class RiverSwim(TabularWorld):
    """Six places along a river: drifting left soon pays 5, swimming right rarely pays 10,000.

    Action 0 is left and always succeeds; action 1 is right, against the current. Episodes do not
    end.
    """

    def __init__(self) -> None:
        super().__init__(tables([[_left(s), _right(s)] for s in range(NUM_STATES)], starts=[1, 2]))


def _left(s: int) -> list[Outcome]:
    return [(1.0, max(s - 1, 0), 5.0 if s == 0 else 0.0)]


def _right(s: int) -> list[Outcome]:
    if s == 0:
        return [(0.3, 1, 0.0), (0.7, 0, 0.0)]
    if s == NUM_STATES - 1:
        return [(0.3, s, 10_000.0), (0.7, s - 1, 0.0)]
    return [(0.3, s + 1, 0.0), (0.6, s, 0.0), (0.1, s - 1, 0.0)]
