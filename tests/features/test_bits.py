"""Binary observations."""

import minigrid  # noqa: F401 - registers its environments
import numpy as np
import pytest
from gymnasium import spaces

from phieb.features import (
    Bits,
)


def test_invalid_bits_are_refused() -> None:
    assert Bits(3).active(np.array([True, False, True])).tolist() == [0, 2]
    with pytest.raises(ValueError, match="observation must have 3 bits, got 2"):
        Bits(3).active([0, 1])
    with pytest.raises(ValueError, match="observation must hold zeros and ones"):
        Bits(3).active([0, 1, 2])
    with pytest.raises(TypeError, match="observations must be a MultiBinary space"):
        Bits(spaces.Discrete(2))
