"""Disks that are full, read-only or gone while a run saves: the last good checkpoint is left."""

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from phieb.training import RunError, resume, train
from tests.faults.support import (
    FRAMES,
    Ears,
    Started,
    assert_clean_error,
    assert_identical,
    assert_one_line,
    config,
    contents,
    options,
    phieb,
    saved_frames,
)


@contextmanager
def mounted(*given: str, at: Path) -> Iterator[None]:
    """A file system of its own, where the machine permits."""
    done = subprocess.run(["mount", *given, str(at)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"this machine does not permit it: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(at)], check=True)


@contextmanager
def small_disk(at: Path, kilobytes: int) -> Iterator[None]:
    at.mkdir()
    with mounted("-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", at=at):
        yield


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """By its mode, or by a mount for those who may write everywhere."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        try:
            yield
        finally:
            folder.chmod(0o755)
        return
    with mounted("--bind", str(folder), at=folder):
        remount = ["mount", "-o", "remount,ro,bind", str(folder)]
        subprocess.run(remount, check=True, capture_output=True)
        yield


def fill(file: Path) -> None:
    """Until nothing more fits on its disk."""
    done = subprocess.run(["cp", "/dev/zero", str(file)], capture_output=True, check=False)
    assert b"No space left on device" in done.stderr


def limited(num_bytes: int) -> None:
    """No file may be longer: writing fails half-way, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (num_bytes, num_bytes))


def test_files_that_cannot_grow(begun: Path, reference: Path) -> None:
    """Weights no longer fit: a warning at each checkpoint, an error at the end."""
    before = contents(begun / "checkpoints")
    done = phieb("resume", begun, "--frames", 6_500, "--quiet", before=lambda: limited(300_000))
    assert_clean_error(done, 1, begun, "File too large")
    warnings = done.stdout.splitlines()
    assert len(warnings) == 2
    assert "no checkpoint at frame 5,0" in warnings[0]
    assert all("File too large; the run continues" in line for line in warnings)
    assert contents(begun / "checkpoints") == before
    resume(begun, frames=FRAMES)
    assert_identical(begun, reference)


def test_a_full_disk(begun: Path, reference: Path, tmp_path: Path) -> None:
    """Room for two checkpoints and not for a third."""
    disk = tmp_path / "disk"
    with small_disk(disk, 2_000):
        path = shutil.copytree(begun, disk / "run")
        before, ears = contents(path / "checkpoints"), Ears()
        with pytest.raises(RunError, match="No space left on device"):
            resume(path, ears, frames=6_500)
        assert len(ears.heard) == 2
        assert all("No space left on device; the run continues" in text for text in ears.heard)
        assert contents(path / "checkpoints") == before
        path = shutil.copytree(path, tmp_path / "larger")
    ears = Ears()
    resume(path, ears, frames=FRAMES)
    assert ears.heard == []
    assert_identical(path, reference)


def test_a_disk_that_is_full_before_the_run_begins(tmp_path: Path) -> None:
    """Not even the settings fit."""
    disk = tmp_path / "disk"
    with small_disk(disk, 64):
        fill(disk / "others")
        done = phieb("train", *options(), "--out", disk / "run")
        assert_clean_error(done, 1, disk / "run", "No space left on device")


def test_a_log_that_cannot_be_written(tmp_path: Path, reference: Path) -> None:
    """The run stops, and what is torn is cut off when it goes on."""
    disk, path = tmp_path / "disk", tmp_path / "disk" / "run"
    with small_disk(disk, 8_000):
        train(config(frames=4_000), path)
        log = (path / "episodes.jsonl").read_bytes()
        fill(disk / "others")
        # Lines fit until the log fills its page.
        with pytest.raises(RunError, match="No space left on device"):
            resume(path, Ears(), frames=10 * FRAMES)
        (disk / "others").unlink()
        assert (path / "episodes.jsonl").read_bytes().startswith(log)
        assert saved_frames(path) < 5_000
        resume(path, Ears(), frames=FRAMES)
        assert_identical(path, reference)


def test_checkpoints_that_may_only_be_read(begun: Path, reference: Path) -> None:
    before = contents(begun / "checkpoints")
    with read_only(begun / "checkpoints"):
        ears = Ears()
        with pytest.raises(RunError, match="Read-only file system|Permission denied"):
            resume(begun, ears, frames=6_500)
        assert len(ears.heard) == 2
        assert all(str(begun / "checkpoints") in text for text in ears.heard)
    assert contents(begun / "checkpoints") == before
    resume(begun, frames=FRAMES)
    assert_identical(begun, reference)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = phieb("train", *options(), "--out", tmp_path / "file" / "run")
    assert_clean_error(done, 2, tmp_path / "file", "Not a directory")


@pytest.mark.slow
@pytest.mark.faults
def test_checkpoints_replaced_while_running(tmp_path: Path, reference: Path) -> None:
    """By a file: it goes on with warnings; once they are back, so is the run."""
    path, aside = tmp_path / "run", tmp_path / "aside"
    with Started("train", *options(frames=20_000), "--out", path) as run:
        run.wait_for(lambda: saved_frames(path) >= 2_000)
        (path / "checkpoints").rename(aside)
        (path / "checkpoints").write_text("")
        code, out, err = run.end()
    assert code == 1
    assert_one_line(err, path / "checkpoints", "File exists")
    assert out.count("phieb: warning: no checkpoint at frame ") >= 3
    (path / "checkpoints").unlink()
    aside.rename(path / "checkpoints")
    assert saved_frames(path) < FRAMES
    resume(path, frames=FRAMES)
    assert_identical(path, reference)


def test_a_folder_deleted_while_running(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with Started("train", *options(frames=100_000_000), "--out", path) as run:
        run.wait_for(lambda: saved_frames(path) >= 2_000)
        path.rename(tmp_path / "bin")
        shutil.rmtree(tmp_path / "bin", ignore_errors=True)
        code, out, err = run.end()  # not at the end of 100 M frames
    assert (code, out) == (1, "")
    assert_one_line(err, path)
    assert not path.exists()


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("kilobytes", range(100, 3_100, 300))
def test_disks_of_many_sizes(kilobytes: int, tmp_path: Path, reference: Path) -> None:
    """Wherever the space ends, a larger disk is all that is needed."""
    with small_disk(tmp_path / "disk", kilobytes):
        path = tmp_path / "disk" / "run"
        done = phieb("train", *options(), "--out", path)
        assert done.returncode in (0, 1), done.stderr
        if done.returncode == 1:
            assert_clean_error(done, 1, path, "No space left on device")
        copy = shutil.copytree(path, tmp_path / "larger")
    done = phieb("resume", copy, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert_identical(copy, reference)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("num_bytes", [0, 10, 300, 1_000, 5_000, 50_000, 200_000, 600_000])
def test_files_of_many_sizes(num_bytes: int, tmp_path: Path, reference: Path) -> None:
    path = tmp_path / "run"
    done = phieb("train", *options(), "--out", path, before=lambda: limited(num_bytes))
    assert_clean_error(done, 1, path, "File too large")
    done = phieb("train", *options(), "--out", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert_identical(path, reference)
