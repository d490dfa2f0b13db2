"""Saving of figures."""

import io
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

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
