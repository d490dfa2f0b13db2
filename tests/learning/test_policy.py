"""ε-greedy with random numbers drawn in blocks, against one number at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phieb.learning import EpsilonGreedy
from tests import naive

# Ties, ties up to rounding, and values that differ.
values = st.lists(
    st.sampled_from([-3e5, -1.0, 0.0, 1e-11, 1e-9, 2.0, 2.0 + 1e-10, 2.0 + 1e-9, 3e5, 3e5 + 1e-6]),
    min_size=1,
    max_size=6,
)


@settings(max_examples=30)
@given(st.lists(values, min_size=1, max_size=5), st.sampled_from([0.0, 0.3, 1.0]), st.integers(0))
def test_the_same_actions_past_the_end_of_a_block(
    qs: list[list[float]], epsilon: float, seed: int
) -> None:
    fast = EpsilonGreedy(epsilon, np.random.default_rng(seed))
    slow = naive.EpsilonGreedy(epsilon, np.random.default_rng(seed))
    for n in range(1_500):
        q = qs[n % len(qs)]
        assert fast.choose(np.array(q)) == slow.choose(q)


@pytest.mark.parametrize("choices", [0, 700])
def test_a_restored_policy_chooses_the_same_actions(choices: int) -> None:
    one = EpsilonGreedy(0.5, np.random.default_rng(1))
    other = EpsilonGreedy(0.5, np.random.default_rng(2))
    q = np.zeros(7)
    for _ in range(choices):
        one.choose(q)
    other.restore(one.state())
    assert [one.choose(q) for _ in range(2_000)] == [other.choose(q) for _ in range(2_000)]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"stream": np.frombuffer(b"{}", np.uint8)}, "must be for a PCG64"),
        ({"stream": np.frombuffer(b'{"bit_generator": "PCG64"}', np.uint8)}, "a generator's state"),
        ({"numbers": np.zeros(7)}, "must be 1024 numbers"),
        ({"numbers": np.zeros(1_024, np.float32)}, "must be 1024 numbers"),
        ({"numbers": np.ones(1_024)}, r"must be in \[0, 1\)"),
        ({"position": np.array([1_025])}, r"state\['position'\]"),
    ],
)
def test_an_invalid_state_is_refused(bad: dict[str, object], says: str) -> None:
    """And the policy is unchanged."""
    one, other = (EpsilonGreedy(0.5, np.random.default_rng(1)) for _ in range(2))
    with pytest.raises(ValueError, match=says):
        one.restore({**one.state(), **bad})  # type: ignore[dict-item]
    assert [one.choose(np.zeros(9)) for _ in range(50)] == [
        other.choose(np.zeros(9)) for _ in range(50)
    ]


def test_epsilon_is_a_probability() -> None:
    with pytest.raises(ValueError, match=r"epsilon must be a finite number in \[0, 1\]"):
        EpsilonGreedy(1.5, np.random.default_rng(0))
