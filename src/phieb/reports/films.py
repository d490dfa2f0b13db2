"""The films of a report's page: small ones are part of the page, for the others it has a link."""

import base64
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict
from urllib.parse import quote

from phieb.files import reading
from phieb.files.errors import DamagedError
from phieb.reports.curves import GroupCurves
from phieb.reports.groups import Result
from phieb.training import Run

SMALL, ALL = 5_000_000, 20_000_000  # bytes of a film that is in the page, and of all of them


class Film(TypedDict):
    """The film of a run.

    Attributes:
        name: of the run.
        address: the film itself as a data URL, or where it is, relative to the page.
        inside: whether it is the film itself.
        megabytes: its size.
    """

    name: str
    address: str
    inside: bool
    megabytes: float


def films_of(results: Iterable[Result], out: Path) -> dict[str, Film]:
    """The films that `phieb play` left in the folders of runs, by the names of the runs.

    Args:
        results: the runs.
        out: the folder of the page.
    """
    found, room = dict[str, Film](), ALL
    for result in results:
        path = Run(result.path).film
        try:
            with reading.opened(path, reading.FILM, result.path) as (handle, size):
                inside = size <= min(SMALL, room)
                data = reading.contents(handle, size) if inside else b""
        except DamagedError:  # most often there is none
            continue
        if inside:
            room -= size
            address = "data:video/mp4;base64," + base64.b64encode(data).decode()
        else:
            address = quote(os.path.relpath(path, out))
        found[result.name] = Film(
            name=result.name, address=address, inside=inside, megabytes=round(size / 1e6, 1)
        )
    return found


def film_of(group: GroupCurves, films: Mapping[str, Film]) -> Film | None:
    """The film of the first trial of a group that has one."""
    return next((films[trial.name] for trial in group.trials if trial.name in films), None)
