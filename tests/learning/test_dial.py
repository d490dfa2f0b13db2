"""The dial: UCB1 over weights of the intrinsic value, and the weight in Sarsa(λ)."""

import math

import numpy as np
import pytest

from phieb.learning import SarsaLambda
from phieb.learning.dial import WEIGHTS, Dial
from tests import naive


def test_the_weight_is_1_while_all_scores_are_equal() -> None:
    dial = Dial()
    for _ in range(50):
        assert dial.weight == dial.best == 1.0
        dial.end(0.0)


def test_it_is_ucb1_scaled_by_the_spread_of_scores() -> None:
    rng, dial = np.random.default_rng(0), Dial()
    pulls = [(2, 1.0)]
    dial.end(1.0)
    for _ in range(200):
        arm = WEIGHTS.index(dial.weight)
        pulls.append((arm, float(rng.integers(2, 10) * (arm + 1))))
        dial.end(pulls[-1][1])
        spread = float(np.std([score for _, score in pulls]))
        scaled = [(arm, score / spread) for arm, score in pulls]
        bounds = naive.upper_bounds(scaled, len(WEIGHTS))
        best = max(bounds)
        assert bounds[WEIGHTS.index(dial.weight)] == pytest.approx(best) or math.isinf(best)
    assert {arm for arm, _ in pulls} == {0, 1, 2}


@pytest.mark.parametrize("best", [0, 1, 2])
def test_it_finds_the_weight_that_scores(best: int) -> None:
    rng, dial, taken = np.random.default_rng(best), Dial(), []
    for _ in range(400):
        taken.append(dial.weight)
        dial.end(float(rng.normal(100 if dial.weight == WEIGHTS[best] else 60, 10)))
    assert taken[100:].count(WEIGHTS[best]) > 250
    assert dial.best == WEIGHTS[best]


def test_a_restored_dial_resumes_exactly() -> None:
    rng, one, other = np.random.default_rng(1), Dial(), Dial()
    for score in rng.integers(0, 5, 30):
        one.end(float(score))
    other.restore(one.state())
    for score in rng.integers(0, 5, 30):
        assert one.weight == other.weight
        one.end(float(score))
        other.end(float(score))
    with pytest.raises(ValueError, match=r"state\['dial'\] must"):
        other.restore({"dial": np.full(8, -1.0)})


@pytest.mark.parametrize("weight", [0.0, 0.3])
def test_the_agent_acts_on_the_weighted_sum(weight: float) -> None:
    fast, slow = (
        SarsaLambda(3, value="split", epsilon=0.1, seed=1),
        naive.SarsaLambda(3, value="split", epsilon=0.1, seed=1),
    )
    fast.intrinsic_weight = slow.intrinsic_weight = weight
    rng, actions = np.random.default_rng(0), []
    assert fast.start([0]) == slow.start([0])
    for _ in range(300):
        active = np.flatnonzero(rng.random(12) < 0.4)
        reward, bonus = float(rng.integers(-1, 2)), float(rng.random())
        actions.append(fast.learn(active, reward, bonus))
        assert actions[-1] == slow.learn(active, reward, bonus)
    expected = fast.q_extrinsic([3, 5])
    assert fast.q([3, 5]) == pytest.approx(slow.q([3, 5]), rel=1e-9)
    assert np.array_equal(fast.q([3, 5]), expected) == (weight == 0.0)
    with pytest.raises(ValueError, match="intrinsic_weight must be a finite number >= 0, got -1"):
        fast.intrinsic_weight = -1.0
