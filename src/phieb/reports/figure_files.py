"""Figures as files."""

import io
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from phieb.files import writing


def save_figure(figure: Figure, path: Path, **how: Any) -> None:
    """Write a figure, whole or not at all; the ending of its name says in which form.

    Args:
        figure: what is drawn.
        path: where.
        how: what `Figure.savefig` takes beside.
    """
    file = io.BytesIO()
    figure.savefig(file, format=path.suffix.removeprefix(".").lower(), **how)
    writing.write(path, file.getvalue())
