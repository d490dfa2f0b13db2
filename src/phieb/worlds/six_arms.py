"""SixArms (Strehl & Littman 2008)."""

from phieb.worlds.tabular import Outcome, TabularWorld, tables

PROBABILITIES = (1.0, 0.15, 0.10, 0.05, 0.03, 0.01)
PAYS = (50.0, 133.0, 300.0, 800.0, 1_660.0, 6_000.0)


class SixArms(TabularWorld):
    """A hub and six rooms: the harder a room is to enter, the more it pays.

    In the hub, state 0, action i leads to room i + 1 with probability p_i and else stays. In room
    i + 1 action i stays and pays; any other leads back to the hub. Episodes do not end.
    """

    def __init__(self) -> None:
        hub = [_pull(i) for i in range(6)]
        rooms = [[_stay(room, action) for action in range(6)] for room in range(6)]
        super().__init__(tables([hub, *rooms], starts=[0]))


def _pull(arm: int) -> list[Outcome]:
    p = PROBABILITIES[arm]
    return [(p, arm + 1, 0.0), (1.0 - p, 0, 0.0)]


def _stay(room: int, action: int) -> list[Outcome]:
    return [(1.0, room + 1, PAYS[room])] if action == room else [(1.0, 0, 0.0)]
