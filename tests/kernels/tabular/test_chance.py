"""Choosing and stepping, with the same random numbers as the plain versions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.kernels.tabular import chance
from phieb.learning import EpsilonGreedy
from phieb.worlds import RiverSwim, SixArms
from tests import naive

pytestmark = pytest.mark.interpreted

values = st.lists(st.sampled_from([-1.0, 0.0, 2.0]), min_size=1, max_size=6)


@given(values, st.sampled_from([0.0, 0.3, 1.0]), st.integers(0, 2**32))
def test_choosing(q: list[float], epsilon: float, seed: int) -> None:
    rngs = [np.random.default_rng(seed) for _ in range(3)]
    policy = EpsilonGreedy(epsilon, rngs[2])
    for _ in range(5):
        chosen = chance.choose(np.array(q), epsilon, rngs[0])
        assert chosen == naive.choose(q, epsilon, rngs[1]) == policy.choose(np.array(q))


@given(st.sampled_from([RiverSwim, SixArms]), st.integers(0, 2**32), st.data())
def test_a_world_in_compiled_form(
    make: type[RiverSwim] | type[SixArms], seed: int, data: st.DataObject
) -> None:
    env, rng = make(), np.random.default_rng(seed)
    state, _ = env.reset(seed=seed)
    assert chance.start(env.tables, rng) == state
    for _ in range(20):
        action = np.int64(data.draw(st.integers(0, int(env.action_space.n) - 1)))  # type: ignore[attr-defined]
        arrived, reward = chance.step(env.tables, state, action, rng)
        state, expected, *_ = env.step(action)
        assert (arrived, reward) == (state, expected)
