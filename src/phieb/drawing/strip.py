"""A strip chart: the most recent values of a quantity, the newest on the right."""

import math
from collections import deque

import numpy as np
from PIL import Image, ImageDraw

from phieb.drawing.text import PANEL, QUIET, Colour, write

STEP, PAD, WORDS = 2, 10, 232  # pixels per value; margin; width of the text


class Strip:
    """Keeps the most recent values and draws them, on a scale fitted to them.

    Args:
        name: the name of the quantity.
        colour: the colour of the curve.
        size: width and height of the picture.
        logarithmic: whether the scale is logarithmic; it then covers whole powers of ten.
    """

    def __init__(
        self, name: str, colour: Colour, size: tuple[int, int], logarithmic: bool = False
    ) -> None:
        self.name, self.colour, self.size = name, colour, size
        self.logarithmic = logarithmic
        self.values = deque[float](maxlen=(size[0] - WORDS - PAD) // STEP)

    def add(self, value: float) -> None:
        """Append a value."""
        self.values.append(value)

    def scale(self) -> tuple[float, float]:
        """The values at the lower and upper ends of the axis."""
        shown = [value for value in self.values if math.isfinite(value)]
        if not self.logarithmic:
            return 0.0, nice(max(shown, default=1.0))
        low, high = max(min(shown, default=1.0), 1e-3), max(*shown, 1.0, 1.0)
        return 10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(high) + 1e-9)

    def drawn(self) -> Image.Image:
        """A picture of the name, the last value, the scale and the curve."""
        picture = Image.new("RGB", self.size, PANEL)
        bottom, top = self.scale()
        first, last = PAD, self.size[1] - PAD
        points = [
            (WORDS + STEP * number, last - (last - first) * self._height(value, bottom, top))
            for number, value in enumerate(self.values)
        ]
        draw = ImageDraw.Draw(picture)
        draw.line((WORDS, last, self.size[0] - PAD, last), (70, 76, 90))
        if points:
            draw.polygon([*points, (points[-1][0], last), (WORDS, last)], _mixed(self.colour))
            draw.line(points, self.colour, width=2)
            x, y = points[-1]
            draw.ellipse((x - 4, y - 4, x + 4, y + 4), self.colour)
            write(picture, (PAD, last), short(self.values[-1]), 26, ink=self.colour, bold=True)
        write(picture, (PAD, 26), self.name, 20, ink=self.colour)
        write(picture, (WORDS - PAD, 24), short(top), 16, ink=QUIET, right=True)
        write(picture, (WORDS - PAD, last), short(bottom), 16, ink=QUIET, right=True)
        return picture

    def _height(self, value: float, bottom: float, top: float) -> float:
        if self.logarithmic:
            value, bottom, top = (math.log10(max(v, 1e-12)) for v in (value, bottom, top))
        return float(np.clip((value - bottom) / max(top - bottom, 1e-12), 0.0, 1.0))


def nice(value: float) -> float:
    """The smallest number >= `value` that is 1, 2 or 5 times a power of ten.

    Example:
        >>> nice(0.0013), nice(7.0), nice(20.0)
        (0.002, 10.0, 20.0)
    """
    if value <= 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return float(f"{next(n for n in (1, 2, 5, 10) if n * power >= value * (1 - 1e-9)) * power:.9g}")


def short(value: float) -> str:
    """A number in at most about six characters.

    Example:
        >>> short(0.00421), short(12345.0), short(0.0), short(3.25e6)
        ('0.0042', '12,345', '0', '3.2 M')
    """
    if not math.isfinite(value):
        return "∞"
    if abs(value) >= 1e6:
        return f"{value / 1e6:.1f} M"
    return f"{value:,.0f}" if abs(value) >= 100 or value == 0 else f"{value:.2g}"


def _mixed(colour: Colour) -> Colour:
    """A mixture of the colour and the background of the strip."""
    red, green, blue = (round(0.7 * a + 0.3 * b) for a, b in zip(PANEL, colour, strict=True))
    return red, green, blue
