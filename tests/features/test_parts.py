"""Several maps side by side."""

import minigrid  # noqa: F401 - registers its environments
import pytest

from phieb.features import (
    Bits,
    FromFunction,
    OneHot,
    OneHotEach,
    Parts,
)


def test_parts_lie_side_by_side() -> None:
    features = Parts([OneHot(3), Bits(4), OneHotEach([2, 2])])
    assert features.size == 3 + 4 + 4
    assert features.active((2, [1, 0, 0, 1], [0, 1])).tolist() == [2, 3, 6, 7, 10]
    named = Parts({"b": OneHot(3)})
    assert named.active({"a": "not looked at", "b": 1}).tolist() == [1]


def test_reset_reaches_every_part() -> None:
    class Counting(OneHot):
        episodes = 0

        def reset(self) -> None:
            self.episodes += 1

    parts = Counting(2), Counting(2)
    Parts(parts).reset()
    assert [part.episodes for part in parts] == [1, 1]


def test_too_many_or_no_parts() -> None:
    with pytest.raises(ValueError, match="maps must have fewer than 2"):
        Parts([FromFunction(lambda x: x), OneHot(2)])
    with pytest.raises(ValueError, match="a FromFunction among them needs a size"):
        Parts([FromFunction(lambda x: x), OneHot(2)])
    with pytest.raises(TypeError, match=r"maps\['a'\] must have size, active and reset, got 3"):
        Parts({"a": 3})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="observation must have 'a', which has a map"):
        Parts({"a": OneHot(2)}).active({"b": 1})
    with pytest.raises(TypeError, match="maps must be a dictionary or a list of feature maps"):
        Parts([])
