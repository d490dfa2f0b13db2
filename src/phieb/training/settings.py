"""Settings of a run: documentation and validation."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from phieb import arguments
from phieb.registry import Registry
from phieb.worlds.names import GIVEN, find_world

Check = Callable[[str, Any], Any]  # takes name and value, returns the converted value or raises


class Setting(NamedTuple):
    """The documentation of a setting, and the check of its value."""

    doc: str
    check: Check

    def __repr__(self) -> str:
        return f"Setting({self.doc!r})"


def number(**limits: Any) -> Check:
    """A check for finite numbers; `limits` are those of `phieb.arguments.number`."""
    return lambda name, value: arguments.number(name, value, **limits)


def whole(low: int, high: int) -> Check:
    """A check for whole numbers in [low, high]."""
    return lambda name, value: arguments.whole(name, value, low=low, high=high)


def flag(name: str, value: Any) -> bool:
    """A check for True and False."""
    return arguments.flag(name, value)


def word(*words: str) -> Check:
    """A check for one of these words."""
    return lambda name, value: arguments.one_of(name, value, words)


def game(_: str, name: Any) -> str:
    """A check for the names of worlds."""
    return find_world(name)


def part(registry: Registry) -> Check:
    """A check for names of parts; "given" stands for a part passed from Python."""
    return lambda name, value: value if value == GIVEN else registry.check(name, value)


def json_object(name: str, value: Any) -> dict[str, Any]:
    """A JSON object, from a mapping or from the text of a JSON object.

    Example:
        >>> json_object("--env-args", '{"size": 20}')
        {'size': 20}
    """
    accepted = f"{name} must be a JSON object such as '{{\"size\": 20}}', got {value!r}"
    try:
        found = json.loads(value if isinstance(value, str) else json.dumps(value))
    except (TypeError, ValueError, RecursionError):
        raise ValueError(accepted) from None
    if not isinstance(found, dict):
        raise ValueError(accepted)
    return found


def usual(check: Check) -> Check:
    """A check that also accepts None, which stands for the usual value of the bonus."""
    return lambda name, value: value if value is None else check(name, value)
