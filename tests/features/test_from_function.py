"""A user's function as a feature map."""

import copy

import minigrid  # noqa: F401 - registers its environments
import numpy as np
import pytest

from phieb.features import (
    FromFunction,
)


def test_what_a_function_returns() -> None:
    assert FromFunction(lambda x: x).active(np.array([False, True])).tolist() == [1]
    assert FromFunction(lambda x: x).active([7, 2]).tolist() == [7, 2]
    assert FromFunction(lambda x: x).active([]).tolist() == []
    with pytest.raises(
        ValueError, match=r"what function returns must hold feature ids in \[0, 4\]"
    ):
        FromFunction(lambda x: x, size=5).active([5])
    with pytest.raises(ValueError, match=r"must be a vector of 5 booleans, got shape \(2,\)"):
        FromFunction(lambda x: x, size=5).active([True, False])
    with pytest.raises(ValueError, match=r"a vector of any number of booleans, got shape \(1, 1\)"):
        FromFunction(lambda x: x).active([[True]])
    with pytest.raises(ValueError, match=r"each feature id once \(ids, not a vector of 0 and 1\)"):
        FromFunction(lambda x: x, size=3).active([0, 1, 1])
    with pytest.raises(TypeError, match="what function returns must hold whole-number feature ids"):
        FromFunction(lambda x: x).active([0.5])
    with pytest.raises(TypeError, match="function must be a function of the observation, got 3"):
        FromFunction(3)  # type: ignore[arg-type]


def test_a_copy_shares_the_object_of_a_bound_method() -> None:
    class Network:
        threshold = 1.0

        def encode(self, x: float) -> list[bool]:
            return [x > self.threshold]

    network = Network()
    copied = copy.deepcopy(FromFunction(network.encode))
    assert copied.active(2.0).tolist() == [0]
    network.threshold = 3.0  # it learnt
    assert copied.active(2.0).tolist() == []
