"""The Atari world: the protocol, the emulator's own blending, and exact restoring."""

import hashlib
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import ale_py
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

from phieb.worlds import Atari
from tests.worlds.support import FIVE, play, started


@pytest.mark.parametrize("screen", ["last", "blend"])
def test_gymnasium_s_checks_pass(screen: str) -> None:
    env = gymnasium.make("phieb/Atari-v0", game="venture", screen=screen, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("screen", ["last", "blend"])
@pytest.mark.parametrize("sticky", [0.0, 0.25])
def test_the_same_seed_gives_the_same_game_and_another_does_not(sticky: float, screen: Any) -> None:
    lives = [
        play(started("qbert", seed=seed, sticky=sticky, screen=screen), 300) for seed in (1, 1, 2)
    ]
    assert lives[0] == lives[1]
    assert lives[0] != lives[2]


def test_a_seed_at_reset_restarts_everything() -> None:
    world = Atari("venture", sticky=0.25)
    world.reset(seed=7)
    first = play(world, 150)
    world.reset(seed=7)
    assert play(world, 150) == first


def test_the_seed_of_the_constructor_is_that_of_the_first_reset() -> None:
    one, two = Atari("venture", seed=7), Atari("venture")
    for bad in (-1, True):
        with pytest.raises((TypeError, ValueError), match="seed must be a whole number >= 0"):
            one.reset(seed=bad)
    assert np.array_equal(one.reset()[0], two.reset(seed=np.int64(7))[0])  # type: ignore[arg-type]
    assert play(one, 50) == play(two, 50)


def test_episodes_start_with_one_to_so_many_noops() -> None:
    world = Atari("freeway", noops=3)
    world.reset(seed=0)
    frames = {world.reset()[1]["frames"] for _ in range(40)}
    assert frames == {5, 10, 15}


def test_an_episode_is_cut_at_the_frame_cap() -> None:
    world = started("freeway", max_frames=200)
    cuts: list[tuple[bool, bool, int]] = []
    while not cuts or not cuts[-1][1]:
        *_, terminated, truncated, info = world.step(np.int64(0))
        cuts.append((terminated, truncated, info["frames"]))
    assert cuts[-1] == (False, True, 200)
    with pytest.raises(gymnasium.error.ResetNeeded):
        world.step(np.int64(0))


def test_dying_is_not_an_end_but_losing_the_last_life_is() -> None:
    world = started("venture")
    lives, ended = [], False
    rng = np.random.default_rng(0)
    while not ended:
        _, _, ended, _, info = world.step(np.int64(rng.integers(18)))
        lives.append(info["lives"])
    assert len(set(lives)) > 2
    assert lives[-1] == 0


def test_actions_full_and_minimal() -> None:
    assert started("freeway").num_actions == 18
    assert started("freeway", actions="minimal").num_actions == 3


def test_montezuma_reports_its_room() -> None:
    assert started("montezuma_revenge").step(np.int64(0))[4]["room"] == 1
    assert "room" not in started("venture").step(np.int64(0))[4]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"sticky": float("nan")}, r"sticky must be a finite number in \[0, 1\], got nan"),
        ({"sticky": -1.0}, r"sticky must be a finite number in \[0, 1\]"),
        ({"sticky": 2.0}, r"sticky must be a finite number in \[0, 1\]"),
        ({"frame_skip": 0}, r"frame_skip must be a whole number in \[1, 60\], got 0"),
        ({"max_frames": 0}, "max_frames must be a whole number >= 1, got 0"),
        ({"noops": 0}, r"noops must be a whole number in \[1, 1000\], got 0"),
        ({"actions": "some"}, 'actions must be "full" or "minimal"'),
        ({"screen": "rgb"}, 'screen must be "last" or "blend"'),
        ({"seed": -1}, "seed must be a whole number >= 0, got -1"),
        ({"render_mode": "human"}, "render_mode must be None or"),
    ],
)
def test_bad_settings_never_reach_the_emulator(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Atari("venture", **settings)


def test_bad_calls_never_reach_the_emulator() -> None:
    world = Atari("venture")
    with pytest.raises(gymnasium.error.ResetNeeded):
        world.step(np.int64(0))
    with pytest.raises(gymnasium.error.ResetNeeded):
        world.state()
    world.reset(seed=0)
    for action in (18, -1):
        with pytest.raises(ValueError, match=r"action must be in Discrete\(18\), got"):
            world.step(np.int64(action))


# --- restoring -----------------------------------------------------------------------------------


def summary(seen: list[tuple[Any, ...]]) -> str:
    """Everything seen, screens by their hash."""
    return "\n".join(f"{hashlib.sha256(s[0]).hexdigest()} {s[1:]!r}" for s in seen)


def restored_in_a_fresh_process(
    world: Atari, game: str, sticky: float, screen: str, file: Path
) -> bool:
    """Save here, restore and play on in a process of its own, play on here: the same?"""
    np.savez(file, **world.state())  # type: ignore[arg-type]
    code = (
        "import numpy as np; from phieb.worlds import Atari;"
        "from tests.worlds import test_atari as t;"
        f"w = Atari({game!r}, sticky={sticky}, screen={screen!r});"
        f"w.restore(np.load({str(file)!r}, allow_pickle=False));"
        "print(t.summary(t.play(w, 60, seed=5)))"
    )
    there = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    return there.stdout.strip() == summary(play(world, 60, seed=5))


def check_points(game: str, sticky: float, screen: str, points: int, folder: Path) -> None:
    rng = np.random.default_rng([len(game), int(100 * sticky)])
    world = started(game, sticky=sticky, screen=screen)
    for point in range(points):
        play(world, int(rng.integers(1, 200)), seed=point)
        file = folder / f"{point}.npz"
        assert restored_in_a_fresh_process(world, game, sticky, screen, file), (game, point)


@pytest.mark.parametrize("sticky", [0.0, 0.25])
@pytest.mark.parametrize("game", FIVE)
def test_restoring_is_exact(game: str, sticky: float, tmp_path: Path) -> None:
    check_points(game, sticky, "blend" if game == "venture" else "last", 2, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["last", "blend"])
@pytest.mark.parametrize("sticky", [0.0, 0.25])
@pytest.mark.parametrize("game", FIVE)
def test_restoring_is_exact_at_fifty_points(
    game: str, sticky: float, screen: str, tmp_path: Path
) -> None:
    check_points(game, sticky, screen, 50, tmp_path)


@pytest.mark.parametrize("decisions", [0, 1, 2])
def test_the_first_frames_blended_are_restored(decisions: int) -> None:
    """The very first is blended with the screen after the reset."""
    settings: dict[str, Any] = {"screen": "blend", "frame_skip": 1, "noops": 1}
    world, copy = started("venture", **settings), Atari("venture", **settings)
    for _ in range(decisions):
        world.step(np.int64(2))
    copy.restore(world.state())
    for _ in range(3):
        assert np.array_equal(copy.screen, world.screen)
        assert np.array_equal(copy.step(np.int64(3))[0], world.step(np.int64(3))[0])


def test_a_world_that_has_just_ended_is_restored_as_ended() -> None:
    world, copy = started("freeway", max_frames=100), Atari("freeway", max_frames=100)
    truncated = False
    while not truncated:
        *_, truncated, _ = world.step(np.int64(0))
    copy.restore(world.state())
    with pytest.raises(gymnasium.error.ResetNeeded):
        copy.step(np.int64(0))
    assert np.array_equal(copy.reset()[0], world.reset()[0])


def test_a_state_that_does_not_fit_is_refused_and_changes_nothing() -> None:
    world = started("venture")
    play(world, 40)
    good = world.state()
    flipped = good["digest"].copy()
    flipped[0] ^= 1
    bad: list[tuple[dict[str, NDArray[Any]], str]] = [
        ({"digest": flipped}, "cannot be reproduced"),
        ({"actions": good["actions"][:-3]}, "cannot be reproduced"),
        ({"actions": np.array([99], np.uint8)}, "actions that venture does not have"),
        ({"rom": flipped}, "must be of this ROM"),
        ({"start": good["start"][1:]}, "state is damaged"),
        ({"start_screen": good["start_screen"][1:]}, r"a screen of \(209, 160\) uint8"),
        (
            {"ale": np.frombuffer(b"0.1", np.uint8)},
            f"ale-py {ale_py.__version__}, got one of ale-py 0.1",
        ),
    ]
    for change, says in bad:
        with pytest.raises(ValueError, match=says):
            world.restore({**good, **change})
    for name, damaged in (
        ("actions", np.zeros((2, 2), np.uint8)),
        ("chance", np.frombuffer(b"[1]", np.uint8)),
        ("chance", np.frombuffer(b"{", np.uint8)),
        ("settings", np.frombuffer(b"3", np.uint8)),
        ("ale", 10**15),
    ):
        with pytest.raises(ValueError, match=r"."):
            world.restore({**good, name: damaged})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="state is damaged"):
        world.restore(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="state lacks 'start'"):
        world.restore({k: v for k, v in good.items() if k != "start"})
    with pytest.raises(ValueError, match="game is 'venture' there and 'qbert' here"):
        Atari("qbert").restore(good)
    with pytest.raises(ValueError, match=r"sticky is 0.0 there and 0.25 here; noops is 24 there"):
        Atari("venture", sticky=0.25, noops=3).restore(good)
    other = started("venture")
    other.restore(good)
    assert play(world, 30) == play(other, 30)


@pytest.mark.parametrize("damage", ["empty", "cut", "noise"])
def test_a_damaged_state_never_ends_the_process(damage: str, tmp_path: Path) -> None:
    """In a process of its own: ale-py can end it."""
    world = started("venture")
    state = world.state()
    start = state["start"]
    rng = np.random.default_rng(0)
    state["start"] = {
        "empty": start[:0],
        "cut": start[: start.size // 2],
        "noise": rng.integers(0, 256, start.size).astype(np.uint8),
    }[damage]
    np.savez(tmp_path / "bad.npz", **state)  # type: ignore[arg-type]
    code = (
        "import sys, numpy as np; from phieb.worlds import Atari; w = Atari('venture')\n"
        "try: w.restore(np.load(sys.argv[1]))\n"
        "except ValueError as error: print('refused:', error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "bad.npz")],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("refused:")
