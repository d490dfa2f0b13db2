"""Settings of an agent's own, from a JSON object."""

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from phieb import arguments

T = TypeVar("T")


def settings_from(kind: type[T], given: Mapping[str, Any]) -> T:
    """The settings of a dataclass whose fields are whole numbers >= 1 or numbers >= 0.

    Raises:
        ValueError, TypeError: a name is unknown, or a value is not such a number.
    """
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for name, value in given.items():
        if name not in fields:
            raise ValueError(f"agent_args must be some of {', '.join(fields)}, got {name!r}")
        if isinstance(fields[name].default, int):
            arguments.whole(name, value, low=1)
        else:
            arguments.number(name, value, low=0.0)
    return kind(**given)
