"""An Atari screen as a picture in which the brightness of blobs shows their novelty."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from phieb.drawing.sighting import Sighting
from phieb.palette import ntsc

SIZE = (640, 480)  # as a television showed it
DARK, DIM = 0.55, 0.3  # how bright old blobs are, and from which level on one is outlined
RING = 3  # width of an outline, in pixels of a picture 640 wide
FINE = 16  # a screen is enlarged by this before it is made as high as the picture


def lit_screen(
    screen: NDArray[np.uint8],
    sighting: Sighting | None = None,
    size: tuple[int, int] = SIZE,
) -> Image.Image:
    """The screen in RGB, with novel blobs bright and outlined, and familiar ones dark.

    The colour of an outline shows the level of novelty, see `colour_of`.

    Args:
        screen: palette bytes.
        sighting: what is novel on it (`sight`); None for the plain screen.
        size: width and height of the picture.

    Example:
        >>> lit_screen(np.zeros((210, 160), np.uint8)).size
        (640, 480)
    """
    colours = ntsc()[screen >> 1]
    if sighting is None or not len(sighting.boxes):
        return _enlarged(colours, size)
    levels = _levels(screen // 2, sighting)
    bright = (DARK + (1 - DARK) * levels)[..., None]
    picture = _enlarged((colours * bright).astype(np.uint8), size)
    large = np.asarray(Image.fromarray(np.round(levels * 255).astype(np.uint8)).resize(size, 0))
    spread = _spread(large, max(round(RING * size[0] / SIZE[0]), 1))
    ring = (spread > large) & (spread > DIM * 255)
    pixels = np.array(picture)
    pixels[ring] = _scale()[spread[ring]]
    return Image.fromarray(pixels)


def colour_of(level: float) -> tuple[int, int, int]:
    """The colour of a level of novelty in [0, 1], from purple to light yellow (inferno)."""
    red, green, blue = _scale()[round(level * 255)].tolist()
    return red, green, blue


def _levels(colours: NDArray[np.uint8], sighting: Sighting) -> NDArray[np.float64]:
    """The level of novelty of each pixel: of the smallest blob of its colour whose box has it."""
    levels = np.zeros(colours.shape)
    _, top, bottom, left, right = sighting.boxes.T
    largest_first = np.argsort(-(bottom - top + 1) * (right - left + 1), kind="stable")
    of = sighting.levels
    for number in largest_first.tolist():
        colour, y0, y1, x0, x1 = sighting.boxes[number].tolist()
        box = slice(y0, y1 + 1), slice(x0, x1 + 1)
        levels[box][colours[box] == colour] = of[number]
    return levels


def _spread(levels: NDArray[np.uint8], by: int) -> NDArray[np.uint8]:
    """The largest level within `by` pixels horizontally and vertically."""
    spread = levels.copy()
    for axis in (0, 1):
        wide = np.moveaxis(spread, axis, 0)
        flat = wide.copy()
        for k in range(1, by + 1):
            np.maximum(wide[k:], flat[:-k], out=wide[k:])
            np.maximum(wide[:-k], flat[k:], out=wide[:-k])
    return spread


def _enlarged(colours: NDArray[np.uint8], size: tuple[int, int]) -> Image.Image:
    """Scaled to `size` with sharp pixels; rows may differ in height by one pixel."""
    width, height = size
    fine = Image.fromarray(colours).resize((colours.shape[1], colours.shape[0] * FINE), 0)
    rows = fine.resize((colours.shape[1], height), Image.Resampling.BOX)
    return rows.resize((width, height), Image.Resampling.NEAREST)


@cache
def _scale() -> NDArray[np.uint8]:
    """(256, 3): inferno without its dark end."""
    from matplotlib import colormaps  # slow to import, and needed by nothing else here

    colours = colormaps["inferno"](np.linspace(0.3, 0.98, 256))
    return np.asarray(np.round(colours[:, :3] * 255), np.uint8)
