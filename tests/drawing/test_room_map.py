"""The map of Montezuma's Revenge."""

import numpy as np

from phieb.drawing.room_map import HERE, KNOWN, SEEN, room_map
from phieb.drawing.text import BACK


def test_rooms_are_told_apart() -> None:
    drawn = room_map((560, 128), 1, {1, 2}, {0, 1, 2})
    counts = [(np.asarray(drawn) == colour).all(-1).sum() for colour in (HERE, SEEN, KNOWN)]
    assert all(count > 500 for count in counts)
    assert (np.asarray(room_map((560, 128), 1, {1}, {1})) == BACK).all(-1).mean() > 0.5
