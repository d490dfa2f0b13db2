"""Random binary features."""

import minigrid  # noqa: F401 - registers its environments
import numpy as np
import pytest
from gymnasium import spaces

from phieb.features import (
    RandomBinary,
)


def test_the_share_of_random_features_that_differ_is_the_angle() -> None:
    features = RandomBinary(50, bits=20_000, seed=1)
    rng = np.random.default_rng(0)
    x, y = 10 * rng.standard_normal((2, 50))  # long, so that the component that is 1 is little
    cosine = (x @ y + 1) / np.sqrt((x @ x + 1) * (y @ y + 1))
    differ = np.setxor1d(features.active(x), features.active(y)).size / 20_000
    assert differ == pytest.approx(np.arccos(cosine) / np.pi, abs=0.015)


def test_random_features_of_bounded_components_do_not_depend_on_the_unit() -> None:
    metres, feet = spaces.Box(0, 10, (3,)), spaces.Box(0, 32, (3,))
    x = np.array([1.0, 5.0, 9.0])
    seen = RandomBinary(metres).active(x).tolist()
    assert RandomBinary(feet).active(3.2 * x).tolist() == seen
    assert RandomBinary(metres, seed=1).active(x).tolist() != seen


def test_random_features_refuse_invalid_observations() -> None:
    with pytest.raises(ValueError, match="observation must have 3 components, got 2"):
        RandomBinary(3).active([1, 2])
    with pytest.raises(ValueError, match=r"observation\[.*\] must be a finite number"):
        RandomBinary(3).active([1, 2, np.inf])
    with pytest.raises(TypeError, match="observations must be a Box or a number of components"):
        RandomBinary(spaces.Discrete(2))
