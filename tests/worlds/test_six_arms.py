"""SixArms: the published dynamics."""

import pytest

from phieb.worlds import SixArms
from tests.worlds.support import outcomes


@pytest.mark.parametrize(
    ("arm", "chance", "pay"),
    [
        (0, 1.0, 50),
        (1, 0.15, 133),
        (2, 0.1, 300),
        (3, 0.05, 800),
        (4, 0.03, 1_660),
        (5, 0.01, 6_000),
    ],
)
def test_six_arms(arm: int, chance: float, pay: float) -> None:
    env = SixArms()
    entered = outcomes(env, 0, arm).get((arm + 1, 0.0), 0.0)
    assert entered == pytest.approx(chance, abs=0.02 if chance > 0.03 else 0.006)
    assert outcomes(env, arm + 1, arm, 10) == {(arm + 1, pay): 1.0}
    assert outcomes(env, arm + 1, (arm + 1) % 6, 10) == {(0, 0.0): 1.0}
