"""The map that leaves observations as they are."""

import numpy as np
import pytest
from gymnasium import spaces

from phieb.features import Unchanged


def test_it_hands_on_what_it_is_given() -> None:
    pictures = Unchanged(spaces.Box(0, 255, (4, 5, 3), np.uint8))
    seen = np.zeros((4, 5, 3), np.uint8)
    assert pictures.active(seen) is seen
    assert pictures.size == 60
    assert Unchanged(spaces.Dict({})).size == 1
    with pytest.raises(TypeError, match="observations must be a Gymnasium space, got 7"):
        Unchanged(7)  # type: ignore[arg-type]
