"""The Bernoulli bandit: the probabilities of its arms."""

import pytest

from phieb.worlds import Bandit
from tests.worlds.support import outcomes


def test_the_bandit_pays_with_its_probabilities() -> None:
    assert outcomes(Bandit(), 0, 0) == pytest.approx({(0, 1.0): 0.9, (0, 0.0): 0.1}, abs=0.02)
    assert outcomes(Bandit(), 0, 9) == pytest.approx({(0, 1.0): 0.6, (0, 0.0): 0.4}, abs=0.03)
