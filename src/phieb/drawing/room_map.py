"""The map of the rooms of Montezuma's Revenge during an episode."""

from collections.abc import Collection

from PIL import Image, ImageDraw

from phieb.drawing.text import BACK, INK, PANEL, QUIET, font
from phieb.worlds.rooms import PYRAMID, WIDE, place_of

HERE, SEEN, KNOWN = (254, 232, 56), (86, 180, 233), (62, 74, 98)
GAP = 4  # pixels


def room_map(
    size: tuple[int, int], here: int, seen: Collection[int], known: Collection[int]
) -> Image.Image:
    """Draw the pyramid: the current room in yellow, the other rooms of this episode in blue.

    Args:
        size: width and height of the picture.
        here: the current room.
        seen: the rooms visited in this episode.
        known: the rooms visited in training, which are filled; all others are outlined.
    """
    picture = Image.new("RGB", size, BACK)
    draw = ImageDraw.Draw(picture)
    wide, high = size[0] / WIDE, size[1] / len(PYRAMID)
    for room in (room for rooms in PYRAMID for room in rooms):
        row, column = place_of(room)
        box = (
            round(column * wide),
            round(row * high),
            round((column + 1) * wide) - GAP,
            round((row + 1) * high) - GAP,
        )
        fill, ink = BACK, QUIET
        if room == here:
            fill, ink = HERE, BACK
        elif room in seen:
            fill, ink = SEEN, BACK
        elif room in known:
            fill, ink = KNOWN, INK
        draw.rectangle(box, fill, outline=PANEL if fill == BACK else fill, width=2)
        middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        draw.text(middle, str(room), ink, font(18), anchor="mm")
    return picture
