"""RiverSwim: the published dynamics."""

from collections import Counter

import pytest

from phieb.worlds import RiverSwim
from tests.worlds.support import outcomes


@pytest.mark.parametrize(
    ("state", "action", "published"),
    [
        (0, 0, {(0, 5.0): 1.0}),
        (3, 0, {(2, 0.0): 1.0}),
        (0, 1, {(1, 0.0): 0.3, (0, 0.0): 0.7}),
        (2, 1, {(3, 0.0): 0.3, (2, 0.0): 0.6, (1, 0.0): 0.1}),
        (5, 1, {(5, 10_000.0): 0.3, (4, 0.0): 0.7}),
        (5, 0, {(4, 0.0): 1.0}),
    ],
)
def test_river_swim(state: int, action: int, published: dict[tuple[int, float], float]) -> None:
    assert outcomes(RiverSwim(), state, action) == pytest.approx(published, abs=0.03)


def test_river_swim_starts_in_one_or_two() -> None:
    env = RiverSwim()
    starts = Counter(int(env.reset(seed=s)[0]) for s in range(300))
    assert set(starts) == {1, 2}
    assert min(starts.values()) > 100
