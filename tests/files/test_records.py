"""Schemas of JSON files: what is accepted, and how the rest is refused."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from phieb.files.records import Count, Number, Range, Setting, Text, checked


class Point(TypedDict):
    frame: Count
    score: Number
    kind: Literal["phi", "none"]
    rooms: NotRequired[dict[Annotated[str, Text("[0-9]{1,2}")], Count]]
    path: NotRequired[list[Annotated[float, Range(0, 1)]]]


GOOD: dict[str, Any] = {"frame": 3, "score": -1.5, "kind": "phi"}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"score": 2},
        {"rooms": {"1": 4, "23": 0}},
        {"path": [0, 0.5, 1]},
    ],
)
def test_a_record_is_returned_as_it_is(more: dict[str, Any]) -> None:
    value = {**GOOD, **more}
    assert checked(Point, value) is value


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"frame": True}, "frame must be a whole number in [0, 1e+18], got True"),
        ({"frame": 1.0}, "frame must be a whole number in [0, 1e+18], got 1.0"),
        ({"frame": -1}, "frame must be a whole number in [0, 1e+18], got -1"),
        ({"score": float("nan")}, "score must be a number in [-1e+18, 1e+18], got nan"),
        ({"score": "7"}, "score must be a number in [-1e+18, 1e+18], got '7'"),
        ({"kind": "cts"}, "kind must be phi or none, got 'cts'"),
        ({"rooms": {"one": 4}}, "a name in rooms must be a text of the form [0-9]{1,2}, got 'one'"),
        ({"rooms": {"1": "4"}}, "rooms.1 must be a whole number in [0, 1e+18], got '4'"),
        ({"rooms": [1]}, "rooms must be an object, got [1]"),
        ({"path": [0.5, 2]}, "each of path must be a number in [0, 1], got 2"),
        ({"path": {}}, "path must be a list, got {}"),
        ({"extra": 1}, "'extra' is not known"),
    ],
)
def test_a_value_that_does_not_fit_is_named(more: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared as a whole
        checked(Point, {**GOOD, **more})
    assert str(caught.value) == says


def test_what_is_missing_is_listed() -> None:
    with pytest.raises(ValueError, match="^frame, kind is missing$"):
        checked(Point, {"score": 0})
    with pytest.raises(ValueError, match="^it must be an object, got None$"):
        checked(Point, None)


@pytest.mark.parametrize("value", [None, True, 3, 0.5, "text", {"size": 20, "walls": [1, None]}])
def test_settings_are_scalars_texts_or_arguments_by_name(value: Any) -> None:
    class Saved(TypedDict):
        value: Setting

    assert checked(Saved, {"value": value}) == {"value": value}
    with pytest.raises(ValueError, match="value must be a number, a text, true, false, null"):
        checked(Saved, {"value": [value]})
    with pytest.raises(ValueError, match="value must be a number, a text, true, false, null"):
        checked(Saved, {"value": {"deep": {"deeper": value}}})
