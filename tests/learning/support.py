"""Comparisons of agents with their plain twins."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

SETTINGS: list[dict[str, Any]] = [
    {"value": "joint"},
    {"value": "joint", "initial_value": 0.5, "scale_reward": True},
    {"value": "split", "continuing": True, "scale_reward": True},
    {"value": "split", "initial_value": 0.5, "lambda_": 0.5},
]


def assert_same_decisions(
    agent: Any, twin: Any, seed: int, num_features: int, steps: int = 80
) -> None:
    """Random features, rewards, bonuses, ends and cuts: the same actions, the same values."""
    rng = np.random.default_rng(seed)

    def features() -> NDArray[np.int64]:
        return np.append(np.flatnonzero(rng.random(num_features) < 0.3), num_features)

    active = features()
    assert agent.start(active) == twin.start(active)
    for _ in range(steps):
        active, fate = features(), rng.random()
        outcome = float(rng.integers(-1, 2)), float(rng.random())
        if fate < 0.05:
            agent.end(*outcome)
            twin.end(*outcome)
        else:
            assert agent.learn(active, *outcome) == twin.learn(active, *outcome)
        if fate < 0.1:  # ended, or cut
            active = features()
            assert agent.start(active) == twin.start(active)
    for i in range(num_features):
        assert agent.q([i]) == pytest.approx(twin.q([i]), rel=1e-8, abs=1e-8)
        assert agent.q_extrinsic([i]) == pytest.approx(twin.q_extrinsic([i]), rel=1e-8, abs=1e-8)
    ids, behaviour, extrinsic = agent.weights()
    assert sorted(ids) == list(range(num_features + 1))
    for i, q, q_extrinsic in zip(ids, behaviour, extrinsic, strict=True):
        assert q == pytest.approx(twin.q([i]), rel=1e-8, abs=1e-8)
        assert q_extrinsic == pytest.approx(twin.q_extrinsic([i]), rel=1e-8, abs=1e-8)


def assert_resumes(make: Any) -> None:
    """An agent restored half-way resumes exactly."""
    rng, one, other = np.random.default_rng(0), make(), make()
    lives = [np.unique(rng.geometric(0.02, 30)) for _ in range(400)]
    one.start(lives[0])
    for k, active in enumerate(lives[1:]):
        if k == 200:
            other.restore(one.state())
        both = (one, other) if k >= 200 else (one,)
        if k % 90 == 89:
            for each in both:
                each.end(1.0, 0.5)
            actions = {each.start(active) for each in both}
        else:
            actions = {each.learn(active, float(k % 3 == 0), 0.1) for each in both}
        assert len(actions) == 1
    mine, its = one.state(), other.state()
    assert mine.keys() == its.keys()
    assert all(np.array_equal(mine[name], its[name]) for name in mine)
