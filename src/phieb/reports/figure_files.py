"""Saving of figures."""

import io
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.image import imsave
from numpy.typing import NDArray

from phieb.files import writing


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
