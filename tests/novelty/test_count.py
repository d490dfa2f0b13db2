"""Exact counts: what is equal, what is counted, and keeping it."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phieb.novelty import CountBonus
from tests import naive
from tests.novelty.support import (
    Step,
    check_loads_only_its_own,
    check_refuses,
    check_resumes,
    outputs,
)

lives = st.lists(st.tuples(st.integers(-3, 3), st.none() | st.integers(0, 2)), max_size=30)
in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(st.lists(st.integers(-3, 3)), st.floats(0, 10))
def test_states(states: list[int], beta: float) -> None:
    bonus = CountBonus(beta)
    assert [bonus.observe(s, 0) for s in states] == naive.visit_bonuses(beta, states)
    assert bonus.num_observed == len(set(states))


@given(lives)
def test_states_and_actions(steps: list[Step]) -> None:
    bonus, pairs, found = CountBonus(2.0, of="state-action"), [], []
    before = None
    for state, action in steps:
        if action is None:
            bonus.reset()
        value = bonus.observe(state, action)
        if before is None or action is None:
            assert value == 0.0
            assert math.isnan(bonus.pseudocount)
        else:
            pairs.append((before, action))
            found.append(value)
            assert bonus.pseudocount == pairs.count(pairs[-1]) - 1
        before = state
    assert found == naive.visit_bonuses(2.0, pairs)


EQUAL: list[list[Any]] = [
    [7, np.int64(7), np.uint8(7), np.array(7)],
    [[7], np.array([7], np.int8), np.array([7], np.uint64)],
    [[[7]]],
    [7.0, np.float32(7.0)],
    [0.0, -0.0],
    [0, False, np.False_],
    [1, True],
    [[300, -1], np.array([300, -1], np.int16)],
    [[2**63], np.array([2**63], np.uint64)],
    [[-(2**63)]],
    [np.array([7, 0, 0, 0, 0, 0, 0, 0], np.uint8), np.arange(7, -1, -1) // 7 * 7],
    [np.zeros((2, 3), np.uint8), np.zeros((3, 2), int).T],
    [np.zeros((3, 2), np.uint8)],
    [[], np.empty(0, np.int64), np.empty(0)],
    [b"\7", bytes([7])],
    [b"\7\0"],
    [b""],
    [()],
    [((),)],
    [(7,), (np.int32(7),)],
    [(1, 2), (True, np.array(2))],
    [((1, 2), 3)],
    [(1, (2, 3))],
    [(b"\7", [1.5, 2])],
]


def test_equal_observations_are_one_and_all_others_are_not() -> None:
    bonus = CountBonus(beta=1.0)
    for kind in EQUAL:
        values = [bonus.observe(seen) for seen in kind]
        assert values == naive.visit_bonuses(1.0, [0] * len(kind)), kind
    assert bonus.num_observed == len(EQUAL)


@in_one_folder
@given(lives, lives, st.sampled_from(["state", "state-action"]))
def test_stopped_and_restored(tmp_path: Path, first: Any, second: Any, of: Any) -> None:
    check_resumes(lambda: CountBonus(of=of), first, second, tmp_path / "bonus")


def test_screens_take_no_more_memory_than_numbers() -> None:
    bonus = CountBonus()
    for k in range(5):
        bonus.observe(np.full((210, 160), k, np.uint8))
    assert bonus.state()["keys"].shape == (5, 16)


def test_other_files_and_states_are_refused(tmp_path: Path) -> None:
    bonus = CountBonus(of="state-action")
    outputs(bonus, [(1, None), (2, 0), (1, 1)])
    words = r"beta is 0\.05 there and 0\.1 here; of is 'state' there and 'state-action' here"
    check_loads_only_its_own(
        CountBonus(0.1, of="state-action"), CountBonus(), words, tmp_path / "bonus"
    )
    keys = bonus.state()["keys"]
    for changed, words in (
        ({"keys": keys[:, :8]}, r"must be uint8 \(any, 16\), got uint8 \(2, 8\)"),
        ({"keys": keys[[0, 0]]}, r"state\['keys'\] must hold each key once"),
        ({"counts": np.array([1])}, r"must be int64 \(2,\), got int64 \(1,\)"),
        ({"counts": np.array([1.0, 1.0])}, r"must be int64 \(2,\), got float64 \(2,\)"),
        ({"counts": np.array([1, 0])}, r"state\['counts'\] must hold counts >= 1, got 0"),
        ({"pseudocount": np.array([-1.0])}, r"state\['pseudocount'\] must be >= 0 or NaN"),
        ({"before": np.zeros(3, np.uint8)}, r"state\['before'\] must hold 0 or 16, got 3"),
    ):
        check_refuses(bonus, changed, words)
    with pytest.raises(ValueError, match=r"state must have 'before', got \[\]"):
        bonus.restore({})


def test_bad_input_is_refused_and_changes_nothing() -> None:
    bonus = CountBonus(1.0, of="state-action")
    outputs(bonus, [(1, None), (2, 0)])
    for seen, error, words in (
        (math.nan, ValueError, "seen must not hold NaN"),
        ([[1], [2, 3]], ValueError, "seen must be an array of numbers, got"),
        ("a", TypeError, "seen must be numbers, bytes or a tuple of these, got str"),
        (["a"], TypeError, "seen must be numbers, bytes or a tuple of these, got dtype <U1"),
        ((1, None), TypeError, "seen must be numbers, bytes or a tuple of these, got NoneType"),
    ):
        with pytest.raises(error, match=words):
            bonus.observe(seen, 0)
    with pytest.raises(ValueError, match="action must be a whole number >= 0, got -1"):
        bonus.observe(9, -1)
    assert bonus.observe(2, 1) == 1.0  # from 2, the last that was right
    assert bonus.num_observed == 2
    with pytest.raises(ValueError, match='of must be "state" or "state-action", got \'pair\''):
        CountBonus(of="pair")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="beta must be a finite number >= 0, got -1"):
        CountBonus(-1)
