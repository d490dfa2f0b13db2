"""The commands that trained the runs of a folder: commands.json."""

import json
from pathlib import Path
from typing import TypedDict

from phieb.files import reading, writing
from phieb.files.errors import DamagedError
from phieb.files.records import Word

MOST = 20  # the last so many


class Commands(TypedDict):
    """What the file says."""

    commands: list[Word]


def commands_in(folder: Path) -> list[str]:
    """The commands, in the order in which they were first given; none if nobody wrote them down."""
    try:
        return reading.read_record(Commands, _file(folder), reading.JSON)["commands"]
    except DamagedError:
        return []


def add_command(folder: Path, command: str) -> None:
    """One more command of this folder, if it is another.

    Args:
        folder: of the runs.
        command: as it can be typed.

    Raises:
        OSError: it cannot be written.
    """
    there = commands_in(folder)
    if command not in there:
        said = {"commands": [*there, command][-MOST:]}
        writing.write(_file(folder), json.dumps(said, indent=1) + "\n", within=folder)


def _file(folder: Path) -> Path:
    return folder / "commands.json"
