"""Names of parts: bonuses, feature maps, agents. Each is declared once, where it is defined.

Settings, command line, help, tables and reports take names and labels from here. A name of the form
`package.module:Name` is a part of the user's own: any class or function that can be imported.
"""

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Part(NamedTuple):
    """A part by its name.

    Attributes:
        name: as settings and the command line have it.
        label: as tables and figures have it.
        make: a class, or a function that makes the part.
        citation: where it was published.
    """

    name: str
    label: str
    make: Callable[..., Any]
    citation: str

    @property
    def doc(self) -> str:
        """What it is, in a line."""
        return (inspect.getdoc(self.make) or "").partition("\n")[0]

    @property
    def parameters(self) -> dict[str, bool]:
        """What it can be made with, and whether it must be given."""
        kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return {
            name: parameter.default is inspect.Parameter.empty
            for name, parameter in inspect.signature(self.make).parameters.items()
            if parameter.kind not in kinds
        }

    def made(self, offered: Mapping[str, Any]) -> Any:
        """The part, made with those of the values offered that it has parameters for.

        Raises:
            ValueError: it has a parameter that must be given, and nothing of that name is offered.
        """
        lacks = [name for name, must in self.parameters.items() if must and name not in offered]
        if lacks:
            known = ", ".join(sorted(offered))
            raise ValueError(f"{self.name}: nothing to give it for {lacks[0]!r}; there is {known}")
        return self.make(**{name: offered[name] for name in self.parameters if name in offered})


class Registry(Mapping[str, Part]):
    """Parts of one kind.

    Args:
        kind: what they are, in a word.

    Example:
        >>> shapes = Registry("shape")
        >>> @shapes.declare("square", label="Square")
        ... def square(side: float) -> float:
        ...     return side * side
        >>> shapes.make("square", {"side": 3.0, "seed": 1})
        9.0
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._parts: dict[str, Part] = {}

    def declare(self, name: str, *, label: str, citation: str = "") -> Callable[[F], F]:
        """A decorator of the class, or of the function that makes the part."""

        def declared(make: F) -> F:
            self._parts[name] = Part(name, label, make, citation)
            return make

        return declared

    def __getitem__(self, name: str) -> Part:
        """A declared part, or one of the user's own."""
        if ":" in name:
            return Part(name, name.rpartition(":")[2], imported(self.kind, name), "")
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def check(self, setting: str, name: Any) -> str:
        """A name that a part can be made by.

        Raises:
            ValueError: there is no such part.
        """
        if isinstance(name, str) and ":" in name:
            imported(setting, name)
        elif not isinstance(name, str) or name not in self._parts:
            known = ", ".join(self._parts)
            raise ValueError(
                f"{setting} must be one of {known}, or package.module:Name, got {name!r}"
            )
        return name

    def make(self, name: str, offered: Mapping[str, Any]) -> Any:
        """A part, made with those of the values offered that it has parameters for."""
        return self[name].made(offered)


def imported(setting: str, name: str) -> Callable[..., Any]:
    """What `package.module:Name` names; modules in the working directory are found too.

    Raises:
        ValueError: it cannot be imported, or cannot be called; one line says why.
    """
    module, _, attribute = name.rpartition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # whatever the user's module raises
        problem = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(f"{setting} {name!r} cannot be imported: {problem}") from None
    if not callable(found):
        raise ValueError(f"{setting} {name!r} must be a class or a function, got {found!r}")
    made: Callable[..., Any] = found
    return made
