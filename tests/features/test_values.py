"""The values of an observation themselves."""

import minigrid  # noqa: F401 - registers its environments
import numpy as np
import pytest
from gymnasium import spaces

from phieb.features import (
    Values,
)


def test_values_as_they_are() -> None:
    assert Values(spaces.Box(0, 9, (2, 2), np.int64)).active([[1, 2], [1, 2]]).tolist() == [
        1,
        2,
        1,
        2,
    ]
    assert Values(spaces.Discrete(3)).active(2).tolist() == [2]
    with pytest.raises(ValueError, match="observation must have 2 components, got 3"):
        Values(2).active([1, 2, 3])
    with pytest.raises(TypeError, match="observations must be a space of arrays or of numbers"):
        Values(spaces.Dict({"a": spaces.Discrete(2)}))
