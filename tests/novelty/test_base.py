"""What observing would give, of every bonus, without counting."""

from typing import Any

import numpy as np
import pytest

from phieb.novelty import (
    Bonus,
    CountableDensity,
    CountBonus,
    CtsBonus,
    NaivePhiBonus,
    PhiBonus,
    PredictionErrorBonus,
    SimHashBonus,
)
from tests.novelty.support import same

IDS = ([0, 3], [1, 3], [0, 3], [2])
CASES: list[tuple[Bonus, tuple[Any, ...]]] = [
    (PhiBonus(), IDS),
    (PhiBonus(per_feature=False), IDS),
    (NaivePhiBonus(), IDS),
    (PhiBonus(density=CountableDensity(2)), IDS[:3]),
    (CountBonus(), IDS),
    (CountBonus(of="state-action"), IDS),
    (SimHashBonus(0.1, 2), ((0.5, -1.0), (-0.5, 1.0))),
    (PredictionErrorBonus(0.1, 2), IDS),
    (CtsBonus(shape=(2, 2)), (np.eye(2, dtype=np.int64), np.zeros((2, 2), np.int64))),
]


@pytest.mark.parametrize(("bonus", "observations"), CASES)
def test_peek_is_what_observing_would_give(bonus: Bonus, observations: tuple[Any, ...]) -> None:
    bonus.reset()
    for action, seen in zip((None, 1, 0, 1), observations, strict=False):
        before = bonus.state()
        count, extra = bonus.peek(seen, action)
        assert same(bonus.state(), before)
        # A density adds up in another order when it does not count.
        assert bonus.observe(seen, action) == pytest.approx(extra, rel=1e-12)
        assert bonus.pseudocount == pytest.approx(count, rel=1e-9, nan_ok=True)
