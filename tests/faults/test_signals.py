"""SIGTERM, Ctrl-C and SIGHUP: a checkpoint, the way to go on, an exit code of their own."""

import random
import signal
from pathlib import Path
from time import monotonic, sleep

import pytest

from phieb.training import resume
from tests.faults.support import (
    EVERY,
    FRAMES,
    Started,
    assert_identical,
    holds_lock,
    num_episodes,
    options,
    phieb,
    saved_frames,
)

SECONDS = 10.0  # in which a run that is asked to stop has stopped, on a busy machine
ENDLESS = [*options(frames=100_000_000), "--checkpoint-every", "1G"]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)]
)
def test_asked_to_stop(number: int, code: int, reference: Path, tmp_path: Path) -> None:
    path = tmp_path / "run"
    with Started("train", *ENDLESS, "--out", path, before=without_nohup) as run:
        run.wait_for(lambda: num_episodes(path))
        first = saved_frames(path)
        asked = monotonic()
        run.send(number)
        ended = run.end()
        assert ended == (code, "", f"phieb: stopped; resume with: phieb resume {path}\n")
        assert monotonic() - asked < SECONDS
    assert first < EVERY < saved_frames(path) < FRAMES
    resume(path, frames=FRAMES)
    assert_identical(path, reference)


def without_nohup() -> None:
    """In the process to come: whoever runs the tests may ignore SIGHUP."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def test_a_terminal_and_its_shell_may_both_say_that_it_is_closed(tmp_path: Path) -> None:
    """Two times SIGHUP is no impatience: it saves."""
    path = tmp_path / "run"
    with Started("train", *ENDLESS, "--out", path, before=without_nohup) as run:
        run.wait_for(lambda: num_episodes(path))
        first = saved_frames(path)
        run.send(signal.SIGSTOP, signal.SIGHUP, signal.SIGCONT)
        run.send(signal.SIGHUP)
        code, _, err = run.end()
    assert (code, err) == (129, f"phieb: stopped; resume with: phieb resume {path}\n")
    assert saved_frames(path) > first


def test_under_nohup_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "run"

    def ignored() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with Started("train", *ENDLESS, "--out", path, before=ignored) as run:
        run.wait_for(lambda: num_episodes(path))
        run.send(signal.SIGHUP)
        seen = num_episodes(path)
        run.wait_for(lambda: num_episodes(path) > seen + 1)
        run.send(signal.SIGTERM)
        assert run.end()[0] == 143


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    """Both wait until the process goes on, so that it gets one right after the other."""
    path = tmp_path / "run"
    with Started("train", *ENDLESS, "--out", path) as run:
        run.wait_for(lambda: num_episodes(path))
        first = saved_frames(path)
        run.send(signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGCONT)
        code, _, err = run.end()
    assert code in (130, 143)
    assert err == ""
    assert saved_frames(path) == first  # it did not wait for a checkpoint


@pytest.mark.slow
@pytest.mark.faults
def test_a_signal_while_it_goes_back_to_its_checkpoint(begun: Path, reference: Path) -> None:
    """As soon as the run is locked, signals are waited for."""
    with Started("resume", begun, "--frames", FRAMES, "--quiet") as run:
        run.wait_for(lambda: holds_lock(begun, run.pid))
        sleep(0.05)
        run.send(signal.SIGTERM)
        code, _, err = run.end()
    assert (code, "resume with" in err) == (143, True)
    assert saved_frames(begun) < FRAMES
    resume(begun, frames=FRAMES)
    assert_identical(begun, reference)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("game", ["venture", "qbert"])
def test_stopped_ten_times_and_resumed(game: str, tmp_path: Path) -> None:
    frames, path, seed = 8 * FRAMES, tmp_path / "run", random.randrange(2**32)
    print(f"random.Random({seed})")
    rng = random.Random(seed)
    given = options(game, frames=frames, sticky=0.25)
    done = phieb("train", *given, "--out", tmp_path / "whole")
    assert done.returncode == 0, done.stderr
    for target in sorted(rng.sample(range(frames * 3 // 4), 10)):
        number = rng.choice([signal.SIGTERM, signal.SIGINT])
        with Started("train", *given, "--out", path) as run:
            run.wait_for(lambda: saved_frames(path) >= target)  # noqa: B023
            run.wait_for(lambda: holds_lock(path, run.pid))
            sleep(rng.uniform(0.05, 0.2))
            asked = monotonic()
            run.send(number)
            assert run.end()[0] == 128 + number
            assert monotonic() - asked < SECONDS
    assert phieb("train", *given, "--out", path).returncode == 0
    assert_identical(path, tmp_path / "whole")
