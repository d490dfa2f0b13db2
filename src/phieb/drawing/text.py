"""Text on pictures: fonts with Greek letters, line breaks, and swatches for palette colours."""

import re
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from phieb.palette import ntsc

Colour = tuple[int, int, int]
INK, QUIET, BACK, PANEL = (236, 239, 244), (165, 173, 187), (17, 19, 25), (32, 36, 46)
_OF_COLOUR = re.compile(r"colour (\d+)")


@cache
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """DejaVu Sans, which comes with matplotlib."""
    from matplotlib import get_data_path  # slow to import

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(get_data_path(), "fonts", "ttf", name)), size)


def write(
    picture: Image.Image,
    at: tuple[int, int],
    text: str,
    size: int,
    *,
    ink: Colour = INK,
    bold: bool = False,
    right: bool = False,
) -> None:
    """Write one line of text.

    Args:
        picture: the picture to write on.
        at: x of the left end and y of the base line.
        text: the text.
        size: the font size, in pixels.
        ink: the colour of the text.
        bold: whether to use the bold font.
        right: whether x is the right end instead.
    """
    anchor = "rs" if right else "ls"
    ImageDraw.Draw(picture).text(at, text, ink, font(size, bold), anchor=anchor)


def fitted(text: str, size: int, width: int, bold: bool = False) -> str:
    """The text, cut and with an ellipsis if it is wider than `width` pixels.

    Example:
        >>> fitted("a rather long title", 20, 100)
        'a rathe…'
    """
    if font(size, bold).getlength(text) <= width:
        return text
    while text and font(size, bold).getlength(f"{text}…") > width:
        text = text[:-1].rstrip()
    return f"{text}…"


def paragraph(text: str, size: int, width: int, most: int = 2) -> Image.Image:
    """A picture of text in at most `most` lines; "colour N" becomes a swatch of that colour.

    Example:
        >>> paragraph("blob of colour 42 one tile left of one of colour 106", 22, 560).size
        (560, 58)
    """
    height = round(size * 1.32)
    picture = Image.new("RGB", (width, most * height), BACK)
    draw, letters = ImageDraw.Draw(picture), font(size)
    x, line, space = 0.0, 0, letters.getlength(" ")
    for word in _OF_COLOUR.sub(r"#\1", text).split():
        swatch = re.fullmatch(r"#(\d+)", word)
        wide = 1.0 * size if swatch else letters.getlength(word)
        if x and x + wide > width:
            x, line = 0.0, line + 1
        if line == most:
            break
        base = round(line * height + size)
        if swatch:
            box = (round(x), base - round(0.78 * size), round(x + 0.86 * size), base)
            fill = tuple(ntsc()[int(swatch[1])].tolist())
            draw.rectangle(box, fill, outline=QUIET, width=max(size // 12, 1))
        else:
            draw.text((x, base), word, INK, letters, anchor="ls")
        x += wide + space
    return picture
