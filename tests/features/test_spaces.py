"""Maps for the spaces of Gymnasium, and the choice between them."""

import copy
from typing import Any

import gymnasium
import minigrid  # noqa: F401 - registers its environments
import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st

from phieb import arguments
from phieb.features import (
    Bits,
    FeatureMap,
    FromFunction,
    GridObjects,
    OneHot,
    OneHotEach,
    Parts,
    RandomBinary,
    Tiles,
    Values,
    features_for,
)

NESTED = spaces.Dict(
    {
        "cell": spaces.Discrete(5, start=2),
        "keys": spaces.MultiBinary([2, 3]),
        "pair": spaces.Tuple([spaces.MultiDiscrete([3, 4]), spaces.Box(-1, 1, (2,))]),
        "screen": spaces.Box(0, 255, (6, 5, 3), np.uint8),
    }
)


@given(st.integers(0, 2**32 - 1))
def test_ids_are_in_range_once_each_and_the_same_again(seed: int) -> None:
    NESTED.seed(seed)
    features, again = features_for(NESTED), features_for(NESTED)
    for observation in (NESTED.sample(), NESTED.sample()):
        ids = features.active(observation)
        assert arguments.feature_ids("ids", ids, features.size).tolist() == ids.tolist()
        assert again.active(observation).tolist() == ids.tolist()


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


@pytest.mark.parametrize(
    ("space", "kind", "size"),
    [
        (spaces.Discrete(5), OneHot, 5),
        (spaces.MultiBinary(7), Bits, 7),
        (spaces.MultiBinary([2, 3]), Bits, 6),
        (spaces.MultiDiscrete(np.array([[3, 4], [2, 2]])), OneHotEach, 11),
        (spaces.Box(0, 1, (2,)), Tiles, 8 * 9**2),
        (spaces.Box(0, 1, (9,)), RandomBinary, 64),
        (spaces.Box(0, 1, (2, 2)), RandomBinary, 64),
        (spaces.Box(0, 1, ()), RandomBinary, 64),
        (spaces.Box(-np.inf, np.inf, (2,)), RandomBinary, 64),
        (spaces.Box(-3e38, 3e38, (2,)), RandomBinary, 64),
        (spaces.Box(np.array([0.0, 1.0]), np.ones(2), dtype=np.float64), RandomBinary, 64),
        (spaces.Tuple([spaces.Discrete(2), spaces.Discrete(3)]), Parts, 5),
    ],
)
def test_the_choice(space: spaces.Space[Any], kind: type[FeatureMap], size: int) -> None:
    features = features_for(space)
    assert type(features) is kind
    assert features.size == size
    assert features.active(space.sample()).dtype == np.int64


@pytest.mark.parametrize(
    "space",
    [spaces.Text(5), spaces.Sequence(spaces.Discrete(2)), spaces.Dict({"a": spaces.Text(5)})],
)
def test_no_map_for_such_a_space(space: spaces.Space[Any]) -> None:
    with pytest.raises(TypeError, match=r"no feature map is known for .*: pass features="):
        features_for(space)


def test_discrete_values_that_start_elsewhere() -> None:
    features = OneHotEach(spaces.MultiDiscrete([2, 3], start=[10, -1]))
    assert features.active(np.array([11, -1])).tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"must be from \[10, -1\] to \[11, 1\], got \[10, 2\]"):
        features.active([10, 2])
    for bad in ([10], [10.0, 1.0]):
        with pytest.raises(ValueError, match="observation must be 2 whole numbers"):
            features.active(bad)
    with pytest.raises(TypeError, match="observations must be a MultiDiscrete space or a list"):
        OneHotEach(spaces.Discrete(2))


def test_invalid_bits_are_refused() -> None:
    assert Bits(3).active(np.array([True, False, True])).tolist() == [0, 2]
    with pytest.raises(ValueError, match="observation must have 3 bits, got 2"):
        Bits(3).active([0, 1])
    with pytest.raises(ValueError, match="observation must hold zeros and ones"):
        Bits(3).active([0, 1, 2])
    with pytest.raises(TypeError, match="observations must be a MultiBinary space"):
        Bits(spaces.Discrete(2))


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


def test_the_view_of_a_grid() -> None:
    env = gymnasium.make("MiniGrid-DoorKey-5x5-v0")
    features = GridObjects(env.observation_space)
    observation, _ = env.reset(seed=0)
    ids = features.active(observation)
    assert arguments.feature_ids("ids", ids, features.size).size == 7 * 7 + 1
    turned, *_ = env.step(0)  # another direction, another view
    assert features.active(turned)[-1] != ids[-1]
    changed = {**observation, "image": observation["image"].copy(), "mission": "another"}
    assert features.active(changed).tolist() == ids.tolist()
    for code in range(3):  # object, colour and state each tell
        changed["image"] = observation["image"].copy()
        changed["image"][2, 3, code] += 1
        assert np.flatnonzero(features.active(changed) != ids).tolist() == [2 * 7 + 3]
    env.close()


def test_invalid_grid_views_are_refused() -> None:
    with pytest.raises(TypeError, match='observations must be a Dict with "direction" and'):
        GridObjects(spaces.Box(0, 255, (7, 7, 3), np.uint8))
    view = {"image": spaces.Box(0, 255, (2, 2, 3), np.uint8), "direction": spaces.Discrete(4)}
    features = GridObjects(spaces.Dict(view))
    with pytest.raises(ValueError, match=r"image must have shape \(2, 2, 3\), got \(3,\)"):
        features.active({"image": np.zeros(3), "direction": 0})
    with pytest.raises(
        ValueError, match="image must hold codes from 0 to 15, got 255 to 255: is it an RGB image"
    ):
        features.active({"image": np.full((2, 2, 3), 255), "direction": 0})
    with pytest.raises(ValueError, match="image must hold codes from 0 to 15, got -1"):
        features.active({"image": np.full((2, 2, 3), -1), "direction": 0})
    with pytest.raises(ValueError, match="observation must have 'direction'"):
        features.active({"image": np.zeros((2, 2, 3), int)})


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


def test_invalid_maps_and_observations_are_refused() -> None:
    for wrong in (OneHot(3), 7):
        with pytest.raises(TypeError, match="maps must be a dictionary or a list of feature maps"):
            Parts(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="observation must have 0, which has a map"):
        Parts([OneHot(3)]).active(3)
    with pytest.raises(TypeError, match=r"maps\[0\]\.active\(…\) must hold whole-number"):
        Parts([Values(1)]).active([0.5])
    empties: list[Any] = [[], np.zeros(0, int)]
    for empty in empties:
        with pytest.raises(TypeError, match="observations must be a MultiDiscrete space or a list"):
            OneHotEach(empty)
    assert OneHotEach(np.array([3, 5])).size == 8
    for make in (Tiles, RandomBinary, features_for):
        with pytest.raises(ValueError, match="must be a whole number >= 1, got 0"):
            make(spaces.Box(0, 1, (0,)))
    with pytest.raises(ValueError, match="low must be below high"):
        Tiles(spaces.Box(-1, 1, (1,)), low=-1e308, high=1e308)
    maps = Bits(2), Tiles(spaces.Box(0, 1, (2,))), RandomBinary(2), FromFunction(lambda x: x)
    for features in maps:
        with pytest.raises(ValueError, match="must be an array of numbers, got"):
            features.active([[1], [2, 3]])
