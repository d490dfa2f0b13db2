"""Registries of parts: bonuses, feature maps, agents. Each is declared once, where it is defined.

Settings, command line, help, tables and reports take names and labels from here. A name of the form
`package.module:Name` is a user-defined part: any class or function that can be imported.
"""

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Part(NamedTuple):
    """A declared or user-defined part.

    Attributes:
        name: its name in settings and on the command line.
        label: its name in tables and figures.
        make: a class, or a function that returns the part.
        citation: the publication it comes from.
    """

    name: str
    label: str
    make: Callable[..., Any]
    citation: str

    @property
    def doc(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.make) or "").partition("\n")[0]

    @property
    def parameters(self) -> dict[str, bool]:
        """Its parameters by name, and whether each is required."""
        kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return {
            name: parameter.default is inspect.Parameter.empty
            for name, parameter in inspect.signature(self.make).parameters.items()
            if parameter.kind not in kinds
        }

    def made(self, offered: Mapping[str, Any]) -> Any:
        """The part, made from those of the offered values that it has parameters for.

        Raises:
            ValueError: a required parameter is not offered.
        """
        lacks = [name for name, must in self.parameters.items() if must and name not in offered]
        if lacks:
            known = ", ".join(sorted(offered))
            raise ValueError(
                f"{self.name}: no value for its parameter {lacks[0]!r}; available are {known}"
            )
        return self.make(**{name: offered[name] for name in self.parameters if name in offered})


class Registry(Mapping[str, Part]):
    """Parts of one kind.

    Args:
        kind: what they are, such as "bonus".

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
        """A decorator that declares a class, or a function that returns the part."""

        def declared(make: F) -> F:
            self._parts[name] = Part(name, label, make, citation)
            return make

        return declared

    def __getitem__(self, name: str) -> Part:
        """A declared or user-defined part."""
        if ":" in name:
            return Part(name, name.rpartition(":")[2], imported(self.kind, name), "")
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def check(self, setting: str, name: Any) -> str:
        """The name, if it is declared or can be imported.

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
        """A part, made from those of the offered values that it has parameters for."""
        return self[name].made(offered)


def imported(setting: str, name: str) -> Callable[..., Any]:
    """The class or function `package.module:Name`; the working directory is searched too.

    Raises:
        ValueError: it cannot be imported or is not callable; one line says why.
    """
    module, _, attribute = name.rpartition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # user code may raise anything
        problem = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(f"{setting} {name!r} cannot be imported: {problem}") from None
    if not callable(found):
        raise ValueError(f"{setting} {name!r} must be a class or a function, got {found!r}")
    made: Callable[..., Any] = found
    return made
