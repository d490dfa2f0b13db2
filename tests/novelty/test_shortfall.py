"""The bonus as a shortfall: never above 0, saved, and its effect where episodes can be ended."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.learning import SarsaLambda
from phieb.novelty import PhiBonus, Shortfall


@given(st.lists(st.sets(st.integers(0, 9), min_size=1, max_size=4), min_size=1, max_size=30))
@settings(max_examples=50, deadline=None)
def test_it_is_the_bonus_less_the_largest_so_far(states: list[set[int]]) -> None:
    plain, short = PhiBonus(0.1), Shortfall(PhiBonus(0.1))
    largest = 0.0
    for state in states:
        ids = sorted(state)
        bonus, shortfall = plain.observe(ids), short.observe(ids)
        largest = max(largest, bonus)
        assert shortfall == bonus - largest <= 0.0
        assert short.pseudocount == plain.pseudocount
    again = Shortfall(PhiBonus(0.1))
    again.restore(short.state())
    assert again.observe([3]) == short.observe([3])


def test_without_an_end_it_is_an_optimistic_start_of_the_values() -> None:
    """A constant c off all rewards is the same as values that start at c/(1 - γ)."""
    gamma, rng = 0.9, np.random.default_rng(0)
    cost = 1.0
    one = SarsaLambda(2, gamma=gamma, seed=1, initial_value=cost / (1 - gamma))
    other = SarsaLambda(2, gamma=gamma, seed=1)
    states = rng.permuted(np.tile(np.arange(12), (200, 1)), axis=1)[:, :4]
    rewards = rng.random(200)
    assert one.start(states[0]) == other.start(states[0])
    for state, reward in zip(states[1:], rewards[1:], strict=True):
        assert one.learn(state, reward) == other.learn(state, reward - cost)
    difference = one.q(states[0]) - other.q(states[0])
    assert difference == pytest.approx(cost / (1 - gamma))


def mean_length(seed: int, **settings: Any) -> float:
    """Of episodes that action 1 ends and action 0 continues, in a ring; no reward anywhere."""
    agent = SarsaLambda(2, seed=seed, epsilon=0.0, gamma=0.9, **settings)
    bonus, lengths = Shortfall(PhiBonus(0.1)), []
    for _ in range(100):
        state, length = 0, 1
        bonus.observe([state])
        action = agent.start([state])
        while action == 0 and length < 50:
            state, length = (state + 1) % 10, length + 1
            action = agent.learn([state], 0.0, bonus.observe([state]))
        if action == 1:
            agent.end(0.0, bonus.observe([10]))
        lengths.append(length)
    return float(np.mean(lengths[-50:]))


def test_an_end_saves_later_costs_unless_the_value_looks_past_it() -> None:
    for seed in range(3):
        assert mean_length(seed) == 1.0  # every episode is ended at once
        assert mean_length(seed, value="split", continuing=True) > 2.0
