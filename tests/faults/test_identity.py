"""The same run comes out the same: twice, in two parts, and killed anywhere on its way."""

import random
import signal
from pathlib import Path
from time import sleep

import pytest

from phieb.training import resume, train
from phieb.training.checkpoint import names
from tests.faults.support import (
    FRAMES,
    Record,
    Started,
    assert_identical,
    config,
    digests,
    holds_lock,
    log_lines,
    options,
    phieb,
    saved_frames,
)


def test_the_same_seed_is_the_same_run(reference: Path, tmp_path: Path) -> None:
    """In another process, and watched or not."""
    train(config(), tmp_path / "run")
    assert_identical(tmp_path / "run", reference)


def test_another_seed_is_another_run(begun_once: Path, tmp_path: Path) -> None:
    train(config(seed=1, frames=4_000), tmp_path / "run")
    assert log_lines(tmp_path / "run") != log_lines(begun_once)
    for file, digest in digests(tmp_path / "run").items():
        assert digest != digests(begun_once)[file]


def test_a_run_that_is_extended_is_one_long_run(begun: Path, reference: Path) -> None:
    assert saved_frames(begun) < FRAMES // 2
    resume(begun, frames=FRAMES)
    assert_identical(begun, reference)


@pytest.mark.slow
@pytest.mark.faults
def test_train_extends_a_run_too(begun: Path, reference: Path) -> None:
    train(config(), begun)
    assert_identical(begun, reference)


@pytest.mark.slow
@pytest.mark.faults
def test_how_often_it_saves_does_not_matter(reference: Path, tmp_path: Path) -> None:
    train(config(checkpoint_every=10 * FRAMES), tmp_path / "run")
    assert_identical(tmp_path / "run", reference)


def killed_and_resumed(
    path: Path, given: list[str], frames: int, kills: int, rng: random.Random
) -> int:
    """Killed when a checkpoint past some frame is there, and a little later; then resumed.

    A little later is in the middle of a decision, of an episode's end or of saving; every third
    time it is killed while it starts, or goes back to its checkpoint.

    Returns:
        How often: on a busy machine a run may have ended before it was killed.
    """
    targets, killed = sorted(rng.sample(range(frames - frames // 4), kills)), 0
    for number, target in enumerate(targets):
        again = ["resume", str(path), "--quiet"] if path.exists() else ["train", *given]
        with Started(*again) as run:
            run.wait_for(lambda: holds_lock(path, run.pid))
            if number % 3 != 2:
                run.wait_for(lambda: saved_frames(path) >= target)  # noqa: B023
            sleep(rng.uniform(0.0, 0.1))
            run.send(signal.SIGKILL)
            code = run.end()[0]
        assert code in (0, -signal.SIGKILL)
        killed += code != 0
    done = phieb("resume", path, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")  # nothing to warn of
    assert len(names(path / "checkpoints")) == 2
    assert not list(path.rglob("*.part"))
    return killed


@pytest.mark.parametrize(("game", "sticky"), [("venture", 0.0), ("qbert", 0.25)])
def test_killed_and_resumed(game: str, sticky: float, tmp_path: Path) -> None:
    """Once while it plays; the long form is below."""
    given = options(game, sticky=sticky)
    train(config(game, sticky=sticky), tmp_path / "whole")
    path = tmp_path / "run"
    given += ["--out", str(path)]
    assert killed_and_resumed(path, given, FRAMES, 1, random.Random(game)) == 1
    assert_identical(path, tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("sticky", [0.0, 0.25])
@pytest.mark.parametrize("game", ["venture", "qbert"])
def test_killed_twenty_times_and_resumed(
    game: str, sticky: float, tmp_path: Path, record_property: Record
) -> None:
    """Where, differs from one time to the next; the seed is printed if it fails."""
    frames, seed = 5 * FRAMES, random.randrange(2**32)
    print(f"random.Random({seed})")
    given = options(game, frames=frames, sticky=sticky)
    done = phieb("train", *given, "--out", tmp_path / "whole")
    assert done.returncode == 0, done.stderr
    path = tmp_path / "run"
    given += ["--out", str(path)]
    kills = killed_and_resumed(path, given, frames, 20, random.Random(seed))
    assert kills > 15
    record_property("kills", kills)
    assert_identical(path, tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("preset", ["default", "paper", "martin2017"])
@pytest.mark.parametrize("game", ["venture", "qbert", "montezuma_revenge", "freeway"])
def test_every_preset_twice_and_in_parts(game: str, preset: str, tmp_path: Path) -> None:
    given = [*options(game, frames=60_000), "--preset", preset]
    for name in ("one", "other"):
        done = phieb("train", *given, "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
    assert_identical(tmp_path / "one", tmp_path / "other")
    for frames in (7_000, 23_456, 60_000):  # the last --frames that is given counts
        done = phieb("train", *given, "--frames", frames, "--out", tmp_path / "parts")
        assert done.returncode == 0, done.stderr
    assert_identical(tmp_path / "parts", tmp_path / "one")
