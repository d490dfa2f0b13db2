"""The replay buffer against lists of whole observations."""

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

pytest.importorskip("stable_baselines3")

from phieb.deep import arrays
from phieb.deep.mixed import ReturnReplay
from phieb.deep.replay import PictureReplay

pytestmark = pytest.mark.deep

SHAPE, STACKED, ACTIONS = (3, 5), 4, 6


def random_episodes(
    replay: PictureReplay, rng: np.random.Generator, rows: int
) -> list[dict[str, Any]]:
    """Fill a buffer; returns the transitions as plain lists, with what they have to be."""
    known: list[dict[str, Any]] = []
    written = 0
    while written < rows:
        episode = list[dict[str, Any]]()
        seen = [rng.integers(256, size=SHAPE).astype(np.uint8)]
        replay.start(seen[0])
        length, is_cut = int(rng.integers(1, 9)), bool(rng.integers(2))
        for step in range(length):
            action, reward = int(rng.integers(ACTIONS)), float(rng.normal())
            before = np.stack(([seen[0]] * STACKED + seen)[-STACKED:])
            ends = step == length - 1 and not is_cut
            row = {"number": written + step, "before": before, "action": action}
            episode.append({**row, "reward": reward, "ends": ends})
            if ends:
                replay.end(action, reward)
            else:
                seen.append(rng.integers(256, size=SHAPE).astype(np.uint8))
                replay.step(action, reward, seen[-1])
                episode[-1]["after"] = np.stack(([seen[0]] * STACKED + seen)[-STACKED:])
        written += len(seen)
        value = 0.7 if is_cut else 0.0
        if is_cut:
            replay.cut(value)
        for row in reversed(episode):
            value = row["reward"] + 0.9 * value
            row["return"] = value
        known += episode
    return known


def filled(kind: type[Any], rows: int, size: int = 200, seed: int = 0) -> tuple[Any, list[Any]]:
    space = spaces.Box(0, 255, (STACKED, *SHAPE), np.uint8)
    replay = kind(size, space, spaces.Discrete(ACTIONS), n_envs=1)
    replay.gamma = 0.9
    return replay, random_episodes(replay, np.random.default_rng(seed), rows)


@pytest.mark.parametrize("rows", [1, 150, 200, 1_234])
@pytest.mark.parametrize("kind", [PictureReplay, ReturnReplay])
def test_transitions_are_those_that_happened(kind: type[Any], rows: int) -> None:
    replay, happened = filled(kind, rows)
    by_number = {row["number"]: row for row in happened}
    numbers = replay.sampled_from()
    oldest = max(0, replay.total - replay.buffer_size)
    complete = [n for n in by_number if n >= oldest + (STACKED - 1 if oldest else 0)]
    assert sorted(numbers.tolist()) == complete
    batch = replay._get_samples(numbers)
    for k, number in enumerate(numbers.tolist()):
        row = by_number[number]
        assert np.array_equal(batch.observations[k], row["before"])
        assert batch.actions[k].item() == row["action"]
        assert batch.rewards[k].item() == pytest.approx(row["reward"])
        assert bool(batch.dones[k].item()) == row["ends"]
        if not row["ends"]:
            assert np.array_equal(batch.next_observations[k], row["after"])
        if kind is ReturnReplay:
            assert replay.returns_of(numbers)[k] == pytest.approx(row["return"], rel=1e-5)


def test_the_return_is_known_once_the_episode_is_over() -> None:
    replay, _ = filled(ReturnReplay, 1)
    before = replay.sampled_from().size
    replay.start(np.zeros(SHAPE, np.uint8))
    replay.step(1, 2.0, np.ones(SHAPE, np.uint8))
    assert replay.sampled_from().size == before
    replay.end(0, 3.0)
    assert replay.sampled_from().size == before + 2


@pytest.mark.parametrize("kind", [PictureReplay, ReturnReplay])
def test_saved_and_restored(kind: type[Any]) -> None:
    replay, _ = filled(kind, 5_000, size=4_500)
    other, _ = filled(kind, 77, size=4_500, seed=5)
    saved = replay.state()
    other.restore(saved)
    again = other.state()
    assert saved.keys() == again.keys()
    assert all(np.array_equal(saved[name], again[name]) for name in saved)
    assert np.array_equal(other.pictures, replay.pictures)
    replay.step(0, 1.0, np.ones(SHAPE, np.uint8))
    other.step(0, 1.0, np.ones(SHAPE, np.uint8))
    assert all(np.array_equal(one, other.state()[name]) for name, one in replay.state().items())


def test_a_damaged_state_is_refused() -> None:
    replay, _ = filled(PictureReplay, 50)
    saved = replay.state()
    broken = saved["pictures.0"].copy()
    broken[20] ^= 255
    for name, array in (
        ("pictures.0", broken),
        ("pictures.0", np.zeros(0, np.uint8)),
        ("actions", saved["actions"] + ACTIONS),
        ("rewards", saved["rewards"][:-1]),
        ("total", np.array([-1])),
        ("since", saved["since"] + np.uint8(4)),
    ):
        with pytest.raises(ValueError, match=r"replay|damaged"):
            replay.restore({**saved, name: array})


def test_a_million_transitions_take_seven_gigabytes() -> None:
    space = spaces.Box(0, 255, (4, 84, 84), np.uint8)
    replay = PictureReplay(1_000_000, space, spaces.Discrete(18))  # not touched, and so not taken
    columns = [getattr(replay, name) for name in ("pictures", *replay._columns())]
    assert sum(column.nbytes for column in columns) == 1_000_000 * (84 * 84 + 15)


def test_pictures_are_packed_and_unpacked() -> None:
    pictures = np.random.default_rng(0).integers(256, size=(7, 3, 5)).astype(np.uint8)
    for some in (pictures, pictures[:1], pictures[:0]):
        packed = arrays.packed_pictures(some)
        assert np.array_equal(arrays.unpacked_pictures(packed, some.shape), some)
