"""Schemas of JSON files, declared as TypedDicts, and their validation.

    Whole = Annotated[int, Range(0, 10**18)]

    class Point(TypedDict):
        frame: Whole
        score: Annotated[float, Range(-1e18, 1e18)]
        rooms: NotRequired[dict[Annotated[str, Text("[0-9]{1,4}")], Whole]]

A whole number is accepted as a number, but true is not. No field may be missing or unknown.
"""

import re
import reprlib
from collections.abc import Callable, Iterable
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

T = TypeVar("T")
Check = Callable[[str, Any], None]  # takes name and value; raises ValueError


class Range(NamedTuple):
    """The numbers in [low, high]."""

    low: float
    high: float


class Text(NamedTuple):
    """Strings that match a regular expression as a whole."""

    pattern: str


Count = Annotated[int, Range(0, 10**18)]
Number = Annotated[float, Range(-1e18, 1e18)]  # NaN is in no range
Sha256 = Annotated[str, Text("[0-9a-f]{64}")]
Word = Annotated[str, Text("(?s).{0,1000}")]
Scalar = bool | Annotated[int, Range(-(2**64), 2**64)] | Annotated[float, Range(-1e300, 1e300)]
Plain = Scalar | Word | None
Setting = Plain | dict[Word, Plain | list[Plain]]  # dict: arguments of an environment
Settings = dict[Annotated[str, Text("[a-z_]{1,40}")], Setting]
Versions = dict[Word, Word]
RoomVisits = dict[Annotated[str, Text("[0-9]{1,9}")], Count]  # decisions in each room


def checked(record: type[T], value: Any) -> T:
    """The value, if it matches the schema `record`.

    Raises:
        ValueError: it does not; the message names the field and the problem.
    """
    check: Check = _check_of(record)  # type: ignore[arg-type]  # mypy: a type is not hashable
    check("", value)
    found: T = value
    return found


@cache
def _check_of(kind: Any) -> Check:
    """The check for values of a type."""
    origin, parts = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        return _object(kind)
    if origin is Annotated:
        return _number(parts[0], parts[1]) if isinstance(parts[1], Range) else _text(parts[1])
    if origin is Literal:
        return _require(lambda value: type(value) is str and value in parts, " or ".join(parts))
    if origin in (Union, UnionType):
        return _any_of(parts)
    if origin is list:
        return _list(_check_of(parts[0]))
    if origin is dict:
        return _dict(_check_of(parts[0]), _check_of(parts[1]))
    if kind in (bool, type(None)):
        return _require(lambda value: type(value) is kind, kind.__name__)
    raise TypeError(f"a record cannot have a part of type {kind!r}")


def _require(fits: Callable[[Any], bool], accepted: str) -> Check:
    def check(name: str, value: Any) -> None:
        if not fits(value):
            raise ValueError(f"{name or 'it'} must be {accepted}, got {_short(value)}")

    return check


def _number(kind: type, limits: Range) -> Check:
    kinds = (int,) if kind is int else (int, float)
    words = "a whole number" if kind is int else "a number"
    low, high = limits
    return _require(
        lambda value: type(value) in kinds and low <= value <= high,
        f"{words} in [{low:g}, {high:g}]",
    )


def _text(limits: Text) -> Check:
    matches = re.compile(limits.pattern).fullmatch
    return _require(
        lambda value: type(value) is str and matches(value) is not None,
        f"a text of the form {limits.pattern}",
    )


def _any_of(parts: Iterable[Any]) -> Check:
    """The check for a union; tries only members of the value's type, since exceptions are slow."""
    by_type = dict[type, list[Check]]()
    for part in parts:
        for kind in _types_of(part):
            by_type.setdefault(kind, []).append(_check_of(part))

    def fits(value: Any) -> bool:
        for check in by_type.get(type(value), ()):
            try:
                check("", value)
            except ValueError:
                continue
            return True
        return False

    return _require(fits, "a number, a text, true, false, null, or plain arguments by name")


def _types_of(kind: Any) -> tuple[type, ...]:
    """The Python types of the values of an annotated type."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return tuple(one for part in parts for one in _types_of(part))
    if origin is Annotated:
        return (int, float) if parts[0] is float else (parts[0],)
    return (origin or kind,)


def _list(check: Check) -> Check:
    is_list = _require(lambda value: type(value) is list, "a list")

    def check_list(name: str, value: Any) -> None:
        is_list(name, value)
        for one in value:
            check(f"each of {name}", one)

    return check_list


def _dict(check_key: Check, check_value: Check) -> Check:
    is_dict = _require(lambda value: type(value) is dict, "an object")

    def check_dict(name: str, value: Any) -> None:
        is_dict(name, value)
        for key, one in value.items():
            check_key(f"a name in {name}", key)
            check_value(f"{name}.{key}", one)

    return check_dict


def _object(record: Any) -> Check:
    hints = get_type_hints(record, include_extras=True)
    is_dict = _require(lambda value: type(value) is dict, "an object")
    checks = {name: _check_of(_kept(hint)) for name, hint in hints.items()}
    required = record.__required_keys__

    def check_object(name: str, value: Any) -> None:
        is_dict(name, value)
        start = f"{name}." if name else ""
        if not required <= value.keys():
            missing = ", ".join(start + key for key in sorted(required - value.keys()))
            raise ValueError(f"{missing} is missing")
        for key, one in value.items():
            if key not in checks:
                raise ValueError(f"{_short(key)} is not known")
            checks[key](start + key, one)

    return check_object


def _kept(hint: Any) -> Any:
    """The type of a field, without `NotRequired`."""
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def _short(value: Any) -> str:
    return reprlib.repr(value)
