"""Saving of figures."""

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.image import imsave
from numpy.typing import NDArray
from PIL import Image

from phieb.files import reading, writing


def save_figure(figure: Figure, path: Path, **how: Any) -> None:
    """Write a figure atomically; the file name extension selects the format.

    Args:
        figure: the figure.
        path: the path of the file.
        how: further arguments of `Figure.savefig`.
    """
    file = io.BytesIO()
    figure.savefig(file, format=path.suffix.removeprefix(".").lower(), **how)
    writing.write(path, file.getvalue())


def save_picture(pixels: NDArray[Any], path: Path) -> None:
    """Write a picture as .png, whole or not at all.

    Args:
        pixels: red, green and blue of each, from the top left.
        path: where.
    """
    file = io.BytesIO()
    imsave(file, pixels, format="png")
    writing.write(path, file.getvalue())


def redraw(path: Path, source: Any, draw: Callable[[], Figure]) -> None:
    """Draw a figure as PNG, unless the one that is there was drawn from the same rows.

    The file has a hash of the rows in it, since another matplotlib draws other pixels.

    Args:
        path: the file.
        source: the rows that the figure is drawn from, as JSON could have them.
        draw: makes the figure.
    """
    digest = source_digest(source)
    if source_digest_in(path) != digest:
        save_figure(draw(), path, dpi=150, metadata={"Source": digest})


def source_digest(source: Any) -> str:
    """A hash of the rows that a figure is drawn from."""
    return hashlib.sha256(json.dumps(source).encode()).hexdigest()


def source_digest_in(path: Path) -> str:
    """The hash that a figure was saved with; empty if there is none."""
    if not path.exists():
        return ""
    with Image.open(io.BytesIO(reading.read(path, reading.PICTURE))) as picture:
        return str(picture.info.get("Source", ""))
