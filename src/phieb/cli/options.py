"""What the options of several commands have in common."""

import os
import re
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from phieb import arguments
from phieb.novelty import BONUSES
from phieb.registry import Registry

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}


def count(text: str) -> int:
    """A number of frames: 300000, 300_000, 300k, 10M, 1.5M.

    Example:
        >>> count("1.5M")
        1500000
    """
    found = re.fullmatch(r"(\d+(?:_\d+)*(?:\.\d+)?)([kmgb]?)", text.strip(), re.IGNORECASE)
    number = float(found[1].replace("_", "")) * _UNITS[found[2].lower()] if found else 0.5
    if not number.is_integer():
        raise ValueError(f"must be a whole number such as 300k or 10M, got {text!r}")
    return int(number)


# An option that is a number of frames.
Count = Annotated[
    int,
    tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar="COUNT",
        instance_from_str=lambda given: count(given[0]),
        is_instance=lambda value: isinstance(value, int),
        str_from_instance=lambda value: [f"{value:,}"],
    ),
]

# Several, separated by commas.
Counts = Annotated[
    tuple[int, ...],
    tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar="COUNT,COUNT…",
        instance_from_str=lambda given: tuple(count(part) for part in given[0].split(",")),
        is_instance=lambda value: isinstance(value, tuple),
        str_from_instance=lambda value: [",".join(map(str, value))],
    ),
]


def once_each(option: str, text: str, names: list[str]) -> list[str]:
    """What an option names with this text; nothing twice."""
    if len(set(names)) < len(names):
        raise ValueError(f"{option} must name each once, got {text!r}")
    return names


def words(option: str, text: str, known: tuple[str, ...]) -> list[str]:
    """Some of the words that are known, separated by commas, each once."""
    return once_each(option, text, [arguments.one_of(option, w, known) for w in text.split(",")])


def bonuses(option: str, text: str) -> list[str]:
    """Words for bonuses, separated by commas."""
    return once_each(option, text, [BONUSES.check(option, w) for w in text.split(",")])


def names_of(registry: Registry) -> str:
    """The parts of a registry, for the help of an option.

    Example:
        >>> from phieb.learning import AGENTS
        >>> names_of(AGENTS).split(" (")[0]
        'sarsa'
    """
    parts = "; ".join(f"{part.name} ({part.doc.rstrip('.')})" for part in registry.values())
    return f"{parts}; or package.module:Name, a class of your own."


def check_file(option: str, path: Path, endings: tuple[str, ...]) -> None:
    """Whether a file of such a kind can be written there."""
    if path.suffix.lower() not in endings:
        raise ValueError(f"{option} must end in {' or '.join(endings)}, got {path}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"{option} must be a file in a folder that can be written to, got {path}")


def progress_bar(console: Console) -> Progress:
    """How much of a job is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
