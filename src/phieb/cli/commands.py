"""The list of commands. Each is imported only when it is used."""

import ast
from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import Console

# By heading of `phieb --help`; each is a class in the module of its name.
GROUPS = {
    "One run": ("train", "resume", "evaluate", "play", "export", "novelty", "show"),
    "Many runs": ("reproduce", "compare", "sweep", "race", "runs", "report", "watch"),
    "Experiments without Atari training": ("small", "counts"),
    "Features, settings, speed": ("blobs", "presets", "bench"),
}
COMMANDS = [name for names in GROUPS.values() for name in names]


class Command(Protocol):
    """A parsed command."""

    def check(self) -> None:
        """Raise ValueError or TypeError if an option is wrong; nothing has been written yet."""

    def run(self, console: "Console") -> None:
        """Run the command and print its results."""


def command_class(name: str) -> Callable[..., Command]:
    """The class of a command, whose docstring and fields are its help."""
    found: Any = getattr(import_module(f"phieb.cli.{name}"), name.capitalize())
    made: Callable[..., Command] = found
    return made


def overview() -> str:
    """The text of `phieb --help`: all commands with the first sentence of their help."""
    lines = [
        "usage: phieb COMMAND [OPTIONS]",
        "",
        "φ-EB: count-based exploration in feature space (Martin et al. 2017).",
    ]
    for heading, names in GROUPS.items():
        lines += ["", f"{heading}:", *(f"  {name:9}  {_summary(name)}" for name in names)]
    return "\n".join(
        [
            *lines,
            "",
            "phieb COMMAND --help  options of a command, with an example",
            "phieb --version       version",
        ]
    )


def _summary(name: str) -> str:
    """The first line of a command's help, read from its source without importing it."""
    source = files("phieb.cli").joinpath(f"{name}.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:  # the class itself, or TrainOptions for `train`
        if isinstance(node, ast.ClassDef) and node.name.startswith(name.capitalize()):
            return (ast.get_docstring(node) or "").partition("\n")[0]
    raise AssertionError(f"no class of the command {name}")
