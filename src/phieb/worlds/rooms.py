"""The map of Montezuma's Revenge."""

# The 24 rooms of a level, row by row; the player starts in room 1.
PYRAMID = (range(3), range(3, 8), range(8, 15), range(15, 24))
WIDE = len(PYRAMID[-1])


def place_of(room: int) -> tuple[int, int]:
    """Row and column of a room on the map.

    Example:
        >>> place_of(1), place_of(23)
        ((0, 4), (3, 8))
    """
    row = next(row for row, rooms in enumerate(PYRAMID) if room in rooms)
    rooms = PYRAMID[row]
    return row, room - rooms[0] + (WIDE - len(rooms)) // 2
