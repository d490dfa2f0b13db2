"""Checks for every bonus: it resumes exactly, and refuses files and states of others."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from phieb.novelty import Bonus, PhiBonus

Step = tuple[Any, int | None]  # an observation and the action that led there; None at a start


def outputs(bonus: Bonus, steps: Sequence[Step]) -> list[str]:
    """Every bonus and pseudocount, to the bit; NaN is NaN."""
    found = []
    for seen, action in steps:
        if action is None:
            bonus.reset()
        value = bonus.observe(seen, action)
        found.append(f"{value.hex()} {bonus.pseudocount.hex()}")
    return found


def check_resumes(
    make: Callable[[], Bonus], first: Sequence[Step], second: Sequence[Step], file: Path
) -> None:
    """Restored from a state or a file in mid-stream, it gives the same bonuses and state."""
    bonus, restored, loaded = make(), make(), make()
    outputs(bonus, first)
    bonus.save(file)
    restored.restore(bonus.state())
    loaded.load(file)
    expected = outputs(bonus, second)
    for copy in (restored, loaded):
        assert outputs(copy, second) == expected
        assert same(copy.state(), bonus.state())


def check_refuses(bonus: Bonus, changed: Mapping[str, NDArray[Any]], words: str) -> None:
    """A state with such parts changes nothing, and the error says what is wrong in one line."""
    before = bonus.state()
    with pytest.raises(ValueError, match=words) as error:
        bonus.restore({**before, **changed})
    assert "\n" not in str(error.value)
    assert same(bonus.state(), before)


def check_loads_only_its_own(bonus: Bonus, other_settings: Bonus, words: str, file: Path) -> None:
    """Files of another kind of bonus, or of one with other settings, are refused."""
    PhiBonus().save(file)
    with pytest.raises(ValueError, match=f"it was not saved by a {type(bonus).__name__}"):
        bonus.load(file)
    other_settings.save(file)
    with pytest.raises(ValueError, match=words) as error:
        bonus.load(file)
    assert str(file) in str(error.value)


def same(one: Mapping[str, NDArray[Any]], two: Mapping[str, NDArray[Any]]) -> bool:
    """The same arrays, to the bit."""
    return one.keys() == two.keys() and all(
        one[k].dtype == two[k].dtype
        and one[k].shape == two[k].shape
        and np.array_equal(one[k].reshape(-1).view(np.uint8), two[k].reshape(-1).view(np.uint8))
        for k in one
    )
