"""Checks of arguments: converted values, or one line that says what is accepted."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from phieb import arguments


def test_values_are_converted() -> None:
    assert arguments.number("x", np.float32(0.5), low=0.0) == 0.5
    assert type(arguments.whole("n", np.int8(3))) is int
    assert arguments.flag("f", np.True_) is True
    assert arguments.height_and_width("size", [2, 3], 10) == (2, 3)
    assert arguments.feature_ids("ids", [5, 0, 2]).tolist() == [5, 0, 2]
    assert arguments.feature_ids("ids", []).dtype == np.int64
    assert arguments.one_of("kind", "b", ("a", "b")) == "b"


@pytest.mark.parametrize(
    ("check", "says"),
    [
        (lambda: arguments.number("x", "1"), "x must be a finite number, got '1'"),
        (lambda: arguments.number("x", True), "x must be a finite number, got True"),
        (lambda: arguments.number("x", 10**400), "x must be a finite number, got 1000"),
        (lambda: arguments.number("x", float("nan")), "x must be a finite number, got nan"),
        (lambda: arguments.number("x", 0, above=0.0), "x must be a finite number > 0, got 0"),
        (
            lambda: arguments.number("x", 2, above=0.0, high=1.0),
            "x must be a finite number > 0 and <= 1, got 2",
        ),
        (lambda: arguments.number("x", 2, high=1.0), "x must be a finite number <= 1, got 2"),
        (lambda: arguments.whole("n", 1.0), "n must be a whole number >= 0, got 1.0"),
        (lambda: arguments.whole("n", 9, high=8), "n must be a whole number in [0, 8], got 9"),
        (lambda: arguments.one_of("k", "c", ("a", "b")), 'k must be "a" or "b", got \'c\''),
        (lambda: arguments.flag("f", 1), "f must be True or False, got 1"),
        (lambda: arguments.array("v", [[1], [1, 2]]), "v must be an array of numbers, got"),
        (lambda: arguments.finite("v", np.array([[0.0, np.inf]])), "v[0, 1] must be a finite num"),
        (lambda: arguments.finite("v", np.array(np.nan)), "v must be a finite number, got nan"),
        (lambda: arguments.feature_ids("ids", [[1]]), "ids must be a flat list of feature ids"),
        (lambda: arguments.feature_ids("ids", [0.5]), "ids must hold whole-number feature ids"),
        (lambda: arguments.feature_ids("ids", [0, 4], 4), "ids must hold feature ids in [0, 3]"),
        (lambda: arguments.feature_ids("ids", [-1]), "got -1"),
        (lambda: arguments.feature_ids("ids", [3, 1, 3]), "ids must list each feature id once"),
        (lambda: arguments.part("state", {"b": 1}, "a"), "state must have 'a', got ['b']"),
        (
            lambda: arguments.array_part("s", {"a": np.zeros(2)}, "a", np.float64, (None, 2)),
            "s['a'] must be float64 (any, 2), got float64 (2,)",
        ),
        (lambda: arguments.height_and_width("size", 3, 9), "size must be (height, width), got 3"),
        (lambda: arguments.height_and_width("size", (0, 3), 9), "size must be a whole number in"),
    ],
)
def test_what_is_wrong_is_one_line(check: Callable[[], Any], says: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        check()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
