"""Registries of parts: bonuses, feature maps, agents. Each is declared once, where it is defined.

Settings, command line, help, tables and reports take names and labels from here. A name of the form
`package.module:Name` is a user-defined part: any class or function that can be imported.
"""

import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

# package.module:Name, and Name may be inside a class.
_NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_OWN = re.compile(f"{_NAME}:{_NAME}")

F = TypeVar("F", bound=Callable[..., Any])


class Part(NamedTuple):
    """A declared or user-defined part.

    Attributes:
        name: its name in settings and on the command line.
        label: its name in tables and figures.
        make: a class, or a function that returns the part.
        citation: the publication it comes from.
        usual: settings of a run whose default is another with this part.
    """

    name: str
    label: str
    make: Callable[..., Any]
    citation: str
    usual: Mapping[str, Any] = {}

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


EXTRA = "deep"  # with the libraries below
_LIBRARIES = ("torch", "stable_baselines3", "sb3_contrib")


class Extra:
    """A class or function that is imported when it is needed, since it needs an extra.

    Args:
        name: of the part.
        path: `package.module:Name`.
        doc: what it is, in a line.
    """

    def __init__(self, name: str, path: str, doc: str) -> None:
        self._name, self._path, self.__doc__ = name, path, doc

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The part."""
        return self.found()(*args, **kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.found())

    def found(self) -> Callable[..., Any]:
        """The class or function itself.

        Raises:
            ValueError: the extra is not installed.
        """
        module, _, attribute = self._path.rpartition(":")
        try:
            found: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in _LIBRARIES:
                raise
            install = f'pip install "phieb[{EXTRA}]"'
            raise ValueError(f"{self._name} needs {error.name}: {install}") from None
        return found


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

    def declare_extra(
        self, name: str, path: str, doc: str, *, label: str, citation: str, **usual: Any
    ) -> None:
        """Declare a part that needs the extra "deep"; it is imported when it is made.

        Args:
            name: its name.
            path: of the class or function, `package.module:Name`.
            doc: what it is, in a line.
            label: its name in tables and figures.
            citation: the publication it comes from.
            usual: settings of a run whose default is another with this part.
        """
        self._parts[name] = Part(name, label, Extra(name, path, doc), citation, usual)

    def __getitem__(self, name: str) -> Part:
        """A declared or user-defined part."""
        if ":" in name:
            return Part(name, name.rpartition(":")[2], imported(self.kind, name), "")
        return self._parts[name]

    def needs_extra(self, name: str) -> bool:
        """Whether it is a declared part that needs an extra."""
        return name in self._parts and isinstance(self._parts[name].make, Extra)

    def usual(self, name: str) -> Mapping[str, Any]:
        """Settings of a run whose default is another with this part."""
        return self._parts[name].usual if name in self._parts else {}

    def without_extras(self) -> list[str]:
        """The names of the declared parts that need no extra."""
        return [name for name in self if not self.needs_extra(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._parts, key=self.needs_extra))  # those without extras first

    def __len__(self) -> int:
        return len(self._parts)

    def label(self, name: str) -> str:
        """What a part is called; nothing is imported for it."""
        return name.rpartition(":")[2] if is_own(name) else self._parts[name].label

    def check_name(self, setting: str, name: Any) -> str:
        """The name, if it is declared or can be that of a user-defined part.

        Nothing is imported: a run that was received may name any module.

        Raises:
            ValueError: it is neither.
        """
        if not isinstance(name, str) or not (is_own(name) or name in self._parts):
            known = ", ".join(self)
            raise ValueError(
                f"{setting} must be one of {known}, or package.module:Name, got {name!r}"
            )
        return name

    def check(self, setting: str, name: Any) -> str:
        """The name, if it is declared or can be imported.

        Raises:
            ValueError: there is no such part.
        """
        if is_own(self.check_name(setting, name)):
            imported(setting, name)
        return str(name)

    def make(self, name: str, offered: Mapping[str, Any]) -> Any:
        """A part, made from those of the offered values that it has parameters for."""
        return self[name].made(offered)


def is_own(name: str) -> bool:
    """Whether a name has the form of a user-defined part's.

    Example:
        >>> is_own("package.module:Name"), is_own("phi"), is_own("package;module:Name")
        (True, False, False)
    """
    return _OWN.fullmatch(name) is not None


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
    except (Exception, SystemExit) as error:  # user code may raise anything
        problem = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(f"{setting} {name!r} cannot be imported: {problem}") from None
    if not callable(found):
        raise ValueError(f"{setting} {name!r} must be a class or a function, got {found!r}")
    made: Callable[..., Any] = found
    return made
