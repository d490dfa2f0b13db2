"""One feature a state."""

import numpy as np
import pytest
from gymnasium import spaces

from phieb.features import OneHot


def test_each_state_has_its_own_feature() -> None:
    features = OneHot(spaces.Discrete(4, start=-1))
    assert features.size == 4
    assert [features.active(s).tolist() for s in range(-1, 3)] == [[0], [1], [2], [3]]


def test_observations_as_environments_give_them() -> None:
    assert OneHot(5).active(np.int64(3)).tolist() == [3]
    assert OneHot(5).active(np.array(3)).tolist() == [3]


@pytest.mark.parametrize(
    ("observation", "error"), [(5, ValueError), (-1, ValueError), (1.5, TypeError)]
)
def test_a_bad_observation_is_refused(observation: object, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"observation must be a whole number in \[0, 4\]"):
        OneHot(5).active(observation)


def test_a_space_that_is_not_discrete() -> None:
    with pytest.raises(TypeError, match="observations must be a Discrete space"):
        OneHot(spaces.Box(0, 1))
