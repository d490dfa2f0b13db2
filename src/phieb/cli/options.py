"""Options that several commands share: their types, their help and their checks."""

import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from phieb import arguments
from phieb.features import FEATURES
from phieb.learning import AGENTS
from phieb.novelty import BONUSES
from phieb.registry import Registry
from phieb.training import Config, Run
from phieb.training.config import PAPER_BETA, RACE_BETA
from phieb.training.presets import PRESETS

FIGURES = (".png", ".svg", ".pdf")  # formats that Matplotlib is asked for
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


def choice(names: Collection[str]) -> Any:
    """A tyro parser for names from a registry, or for other sets known only at run time."""
    return tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar="{" + ",".join(names) + "}",
        instance_from_str=lambda given: given[0],
        is_instance=lambda value: isinstance(value, str),
        str_from_instance=lambda value: [value],
        choices=tuple(names),
    )


def names_of(registry: Registry) -> str:
    """The parts of a registry, for the help of an option.

    Example:
        >>> from phieb.learning import AGENTS
        >>> names_of(AGENTS).split(" (")[0]
        'sarsa'
    """
    parts = "; ".join(f"{part.name} ({part.doc.rstrip('.')})" for part in registry.values())
    return f"{parts}; or package.module:Name for your own class."


# A number of frames.
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

# Several numbers of frames, separated by commas.
Counts = Annotated[
    tuple[int, ...],
    tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar="COUNT,COUNT…",
        instance_from_str=lambda given: tuple(count(part) for part in given[0].split(",")),
        is_instance=lambda value: isinstance(value, tuple),
        str_from_instance=lambda value: [",".join(f"{one:,}".replace(",", "_") for one in value)],
    ),
]

# Options whose default is described in their help text, where "None" would tell nothing.
OptionalInt = Annotated[int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="")]
OptionalPath = Annotated[Path | None, tyro.conf.arg(metavar="PATH", help_behavior_hint="")]
OptionalCount = Annotated[Count | None, tyro.conf.arg(metavar="COUNT", help_behavior_hint="")]

PresetName = Annotated[str, choice(PRESETS)]
Screen = Annotated[str, choice(get_args(get_type_hints(Config)["screen"]))]

AgentName = Annotated[str, tyro.conf.arg(metavar="NAME", help=names_of(AGENTS))]
AgentArgs = Annotated[
    str | None,
    tyro.conf.arg(
        metavar="JSON",
        help="Settings of the agent's own, such as '{\"buffer_size\": 1000000}' of ddqn.",
        help_behavior_hint="",
    ),
]
FeaturesName = Annotated[
    str | None,
    tyro.conf.arg(
        metavar="NAME",
        help=names_of(FEATURES),
        help_behavior_hint="(default: martin2017 for Atari games, auto elsewhere)",
    ),
]
Beta = Annotated[
    float | None,
    tyro.conf.arg(
        metavar="FLOAT",
        help="β, the scale of the bonus.",
        help_behavior_hint=f"(default: {RACE_BETA} counting per feature, else {PAPER_BETA})",
    ),
]

RunFolder = Annotated[
    tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN", help="Folder of the run.")
]
Checkpoint = Annotated[
    Count | None,
    tyro.conf.arg(
        metavar="COUNT",
        help="Which checkpoint, by its number of frames (the folders in RUN/checkpoints).",
        help_behavior_hint="(default: the newest)",
    ),
]
FigureFile = Annotated[
    Path | None,
    tyro.conf.arg(
        metavar="FILE",
        help=f"Save the figure here ({', '.join(FIGURES)}).",
        help_behavior_hint="(default: no figure)",
    ),
]
NumbersFile = Annotated[
    Path | None,
    tyro.conf.arg(
        name="json",
        metavar="FILE",
        help="Save the numbers here (.json).",
        help_behavior_hint="(default: not saved)",
    ),
]


def once_each(option: str, text: str, names: list[str]) -> list[str]:
    """The names that an option was given as this text; no name may be repeated."""
    if len(set(names)) < len(names):
        raise ValueError(f"{option} must name each once, got {text!r}")
    return names


def words(option: str, text: str, known: tuple[str, ...]) -> list[str]:
    """Some of the known words, separated by commas, each once."""
    return once_each(option, text, [arguments.one_of(option, w, known) for w in text.split(",")])


def bonuses(option: str, text: str) -> list[str]:
    """Names of bonuses, separated by commas, each once."""
    return once_each(option, text, [BONUSES.check(option, w) for w in text.split(",")])


def check_run(path: Path) -> None:
    """Raise ValueError unless a folder holds a run."""
    if Run(path).exists():
        return
    problem = "no config.json in it" if path.is_dir() else "no such folder"
    if any(path.glob("*/config.json")):
        problem += f"; for the runs under it: phieb runs {path}"
    raise ValueError(f"RUN must be the folder of a run, got {path} ({problem})")


def check_file(option: str, path: Path, endings: tuple[str, ...]) -> None:
    """Raise ValueError unless a file with one of these endings can be written there."""
    if path.suffix.lower() not in endings:
        raise ValueError(f"{option} must end in {' or '.join(endings)}, got {path}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"{option} must be a file in a folder that can be written to, got {path}")


def check_outputs(figure: Path | None, numbers: Path | None) -> None:
    """Check --out and --json of a command that can save a figure and its numbers."""
    if figure is not None:
        check_file("--out", figure, FIGURES)
    if numbers is not None:
        check_file("--json", numbers, (".json",))


def progress_bar(console: Console) -> Progress:
    """A progress bar with the time elapsed; it is removed at the end."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
