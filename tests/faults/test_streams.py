"""Standard output that is closed, a pipe nobody reads, a full disk or in another alphabet."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from phieb.cli.streams import Output
from phieb.training import resume
from tests.faults.support import (
    FRAMES,
    PATIENCE,
    Started,
    assert_identical,
    command,
    num_episodes,
    options,
    phieb,
    saved_frames,
)
from tests.faults.test_signals import ENDLESS, without_nohup

LOUD = [word for word in ENDLESS if word != "--quiet"]
SWEEP = ["sweep", "--betas", "0.1", "--trials", "1", "--frames", "300"]


@pytest.fixture
def unread() -> Iterator[int]:
    """The end to write to of a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


def close(*descriptors: int) -> Callable[[], None]:
    """For a process to come: started as a shell does with `>&-`."""

    def closed() -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    return closed


def test_when_nobody_reads_any_more_a_run_saves_and_says_how_to_resume(
    unread: int, reference: Path, tmp_path: Path
) -> None:
    """`phieb train … | head -1`."""
    path = tmp_path / "a run"
    with Started("train", *LOUD, "--out", path, stdout=unread) as run:
        code, _, err = run.end()
    assert (code, err) == (141, f"phieb: stopped; resume with: phieb resume '{path}'\n")
    assert 0 < saved_frames(path) < FRAMES
    resume(path, frames=FRAMES)
    assert_identical(path, reference)


def test_when_nobody_reads_any_more_trials_stop_too(unread: int, tmp_path: Path) -> None:
    with Started(*SWEEP, "--out", tmp_path / "out", stdout=unread) as sweep:
        code, _, err = sweep.end()
    assert (code, err) == (141, "phieb: stopped; run the same command again to resume\n")


@pytest.mark.parametrize("what", [["show"], ["runs"], ["evaluate", "--episodes", "1"], ["--help"]])
def test_when_nobody_reads_what_is_printed_it_ends_without_a_word(
    what: list[str], unread: int, copied: Path
) -> None:
    given = what if what == ["--help"] else [what[0], copied, *what[1:]]
    with Started(*given, stdout=unread) as printing:
        code, _, err = printing.end()
    assert (code, err) == (141, "")


@pytest.mark.parametrize("descriptors", [(1,), (2,), (0, 1, 2)])
def test_without_output_or_errors_a_run_goes_on_quietly(
    descriptors: tuple[int, ...], reference: Path, tmp_path: Path
) -> None:
    """And no file of the run takes their place."""
    path, given = tmp_path / "run", [word for word in options() if word != "--quiet"]
    done = phieb("train", *given, "--out", path, before=close(*descriptors))
    assert (done.returncode, done.stderr) == (0, "")
    assert ("run: " in done.stdout) is (1 not in descriptors)
    assert_identical(path, reference)


def test_without_output_trials_go_on_quietly(tmp_path: Path) -> None:
    done = phieb(*SWEEP, "--out", tmp_path / "out", before=close(0, 1))
    assert (done.returncode, done.stderr) == (0, "")
    assert saved_frames(tmp_path / "out" / "venture-phi-beta0.1-1") >= 300


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_output_that_was_lost_is_a_failure_but_the_run_is_whole(
    reference: Path, tmp_path: Path
) -> None:
    path, given = tmp_path / "run", [word for word in options() if word != "--quiet"]
    with (
        Path("/dev/full").open("w") as full,
        Started("train", *given, "--out", path, stdout=full.fileno()) as run,
    ):
        code, _, err = run.end()
    assert (code, err) == (1, "phieb: standard output: No space left on device\n")
    assert_identical(path, reference)


def test_a_terminal_that_is_closed(tmp_path: Path) -> None:
    """The live view loses its terminal, and SIGHUP comes: saved, whatever can still be said."""
    path = tmp_path / "run"
    pid, terminal = pty.fork()
    if pid == 0:
        without_nohup()
        os.execv(sys.executable, command("train", *LOUD, "--out", path))
    while not num_episodes(path):
        os.read(terminal, 1 << 16)  # ends with OSError if the run does
    first = saved_frames(path)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 129
    assert first < saved_frames(path)


# Python started as it is where nothing is set up for other alphabets.
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_every_alphabet(encoding: str, begun_once: Path, tmp_path: Path) -> None:
    """Also a folder with a byte in its name that is no text, and what clears a screen."""
    folder = tmp_path / os.fsdecode(b"n\xff\x1b[2J")
    environment = {**os.environ, **PLAIN, "PYTHONIOENCODING": encoding}

    def run_here(*given: object) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            command(*given), capture_output=True, env=environment, timeout=PATIENCE, check=False
        )

    small = [word for word in options(frames=4_000) if word != "--quiet"]
    for given in (
        ["train", *small, "--out", folder / "run"],
        ["show", folder / "run"],
        ["runs", tmp_path, "--csv", tmp_path / "runs.csv"],
        ["evaluate", folder / "run", "--episodes", "1"],
        ["report", folder],
        ["presets"],
    ):
        done = run_here(*given)
        assert (done.returncode, done.stderr) == (0, b""), given
        said = done.stdout.decode(encoding)
        assert "\x1b" not in said
        assert given[0] == "presets" or r"n\xff\x1b[2J" in "".join(said.split()), given
    assert_identical(folder / "run", begun_once)
    for file in tmp_path.rglob("*"):
        if file.suffix in (".json", ".jsonl", ".csv", ".html", ".md", ".txt", ".tex", ".svg"):
            file.read_text(encoding="utf-8")
    found = run_here("train", "x", "--out", folder)
    assert found.returncode == 2
    assert b"Traceback" not in found.stderr


@pytest.mark.parametrize("columns", [1, 20])
@pytest.mark.parametrize("what", ["show", "runs"])
def test_a_narrow_terminal(what: str, columns: int, reference: Path) -> None:
    environment = {**os.environ, "COLUMNS": str(columns), "LINES": "5", "FORCE_COLOR": "1"}
    done = subprocess.run(
        command(what, reference), capture_output=True, env=environment, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_is_lost_is_remembered_once(unread: int) -> None:
    with os.fdopen(os.dup(unread), "w") as stream:
        output = Output(stream)
        assert output.write("first") == 5
        assert output.problem == ""
        output.flush()
        output.write("second")
        output.flush()
        assert output.problem == "the pipe is closed"
        assert os.readlink(f"/proc/self/fd/{stream.fileno()}") == os.devnull


def test_names_in_a_config_are_escaped_as_well(copied: Path) -> None:
    """The game of a run that somebody else has made."""
    facts = json.loads((copied / "config.json").read_text())
    facts["versions"]["phieb"] = "\x1b]0;owned\x07=1+2"
    (copied / "config.json").write_text(json.dumps(facts))
    for given in (["show", copied], ["runs", copied], ["report", copied]):
        done = phieb(*given)
        assert "\x1b" not in done.stdout + done.stderr, given
    phieb("runs", copied, "--csv", copied / "runs.csv")
    assert "\x1b" not in (copied / "runs.csv").read_text()
