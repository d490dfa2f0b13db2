"""Checkpoints that are not what was written: never read, and the one before them is used."""

import os
import random
import resource
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from phieb.files.errors import DamagedError
from phieb.training import RunError, checkpoint, resume
from tests.faults.support import (
    FILES,
    FRAMES,
    PARTS,
    Ears,
    assert_clean_error,
    assert_identical,
    contents,
    newest,
    phieb,
)

Damage = Callable[[bytes, random.Random], bytes]


def half(data: bytes, _: random.Random) -> bytes:
    return data[: len(data) // 2]


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def flip(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def zeros(data: bytes, _: random.Random) -> bytes:
    return bytes(len(data))


def longer(data: bytes, rng: random.Random) -> bytes:
    return data + rng.randbytes(10)


def nothing(data: bytes, _: random.Random) -> bytes:
    return b""


def damage(file: Path, how: Damage, rng: random.Random) -> None:
    before = file.read_bytes()
    file.write_bytes(how(before, rng))
    assert file.read_bytes() != before


@pytest.mark.parametrize("how", [half, flip])
@pytest.mark.parametrize("file", FILES)
def test_a_damaged_file_sends_the_run_one_checkpoint_back(
    file: str, how: Damage, copied: Path, reference: Path
) -> None:
    victim, ears = newest(copied) / file, Ears()
    damage(victim, how, random.Random(file))
    resume(copied, ears)
    assert len(ears.heard) == 1
    assert f"damaged checkpoint: {victim}: " in ears.heard[0]
    assert_identical(copied, reference)


@pytest.mark.parametrize("file", FILES)
def test_a_missing_file_does_too(file: str, copied: Path, reference: Path) -> None:
    ears = Ears()
    (newest(copied) / file).unlink()
    resume(copied, ears)
    assert str(newest(reference).name) in ears.heard[0]
    assert_identical(copied, reference)


def test_on_the_command_line(copied: Path, reference: Path) -> None:
    victim = newest(copied) / "learner.safetensors"
    damage(victim, flip, random.Random(0))
    done = phieb("resume", copied, "--quiet")
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    assert said == f"phieb: warning: damaged checkpoint: {victim}: not what was written\n"
    assert_identical(copied, reference)


def flipped_manifests(folder: Path, bits: Iterable[int]) -> None:
    """Whichever bit is flipped, the manifest is refused or says just what it said."""
    file, facts = folder / "manifest.json", checkpoint.read_facts(folder)
    data, refused, tried = bytearray(file.read_bytes()), 0, 0
    for place in bits:
        at, bit = divmod(place, 8)
        data[at] ^= 1 << bit
        file.write_bytes(data)
        data[at] ^= 1 << bit
        tried += 1
        try:
            assert checkpoint.read_facts(folder) == facts
        except DamagedError as error:
            assert str(file) in str(error)
            refused += 1
    assert refused > 0.99 * tried > 0


def test_every_bit_of_a_manifest_counts(copied: Path) -> None:
    num_bits = 8 * (newest(copied) / "manifest.json").stat().st_size
    flipped_manifests(newest(copied), random.Random(0).sample(range(num_bits), 300))


@pytest.mark.parametrize("file", FILES)
def test_no_damage_goes_unnoticed(file: str, copied: Path) -> None:
    victim, rng = newest(copied) / file, random.Random(file)
    data = victim.read_bytes()
    for how in (cut, flip, zeros, longer, nothing) * 10:
        damage(victim, how, rng)
        with pytest.raises(DamagedError, match=file):
            checkpoint.read(newest(copied))
        victim.write_bytes(data)
    checkpoint.read(newest(copied))  # nothing else was wrong


def test_if_all_are_damaged_nothing_is_touched(copied: Path) -> None:
    for folder in (copied / "checkpoints").iterdir():
        damage(folder / "world.safetensors", half, random.Random(0))
    before = contents(copied)
    done = phieb("resume", copied, "--quiet", "--frames", 2 * FRAMES)
    assert_clean_error(done, 1, copied / "checkpoints", "all 2 checkpoints are damaged")
    assert done.stdout.count("phieb: warning: damaged checkpoint: ") == 2
    assert contents(copied) == before


@pytest.mark.parametrize("gone", ["checkpoints", "checkpoints/*"])
def test_if_all_are_gone_the_run_does_not_start_over(gone: str, copied: Path) -> None:
    for folder in list(copied.glob(gone)):
        shutil.rmtree(folder)
    before = contents(copied)
    with pytest.raises(RunError, match="the checkpoints are missing"):
        resume(copied)
    assert contents(copied) == before


@pytest.mark.parametrize("how", [flip, half, nothing])
def test_a_log_that_no_checkpoint_knows(how: Damage, copied: Path) -> None:
    """Half of a log, or another one: the run is not resumed with it."""
    damage(copied / "episodes.jsonl", how, random.Random(1))
    before, ears = contents(copied), Ears()
    with pytest.raises(RunError, match="all 2 checkpoints are damaged"):
        resume(copied, ears)
    assert all(str(copied / "episodes.jsonl") in text for text in ears.heard)
    assert contents(copied) == before


def test_what_a_killed_run_left_in_the_log_is_played_again(copied: Path, reference: Path) -> None:
    """Lines after the checkpoint, the last one torn."""
    shutil.rmtree(newest(copied))
    with (copied / "episodes.jsonl").open("ab") as log:
        log.write(b'{"episode": 99, "frames": 1, "score": 0}\n{"episode": 1')
    ears = Ears()
    resume(copied, ears)
    assert ears.heard == []
    assert_identical(copied, reference)


def test_a_checkpoint_that_was_being_written_is_swept_away(copied: Path, reference: Path) -> None:
    last = newest(copied)
    last.rename(last.with_name(".phieb-0123456789abcdef.part"))
    resume(copied)
    assert_identical(copied, reference)
    assert not list(copied.rglob("*.part"))


def test_a_file_larger_than_memory_is_not_read(copied: Path) -> None:
    """A terabyte of nothing; the process may have 8 GB, so that no machine suffers."""
    victim = newest(copied) / "learner.safetensors"
    os.truncate(victim, 2**40)
    limit = 8 * 2**30
    done = phieb(
        "resume",
        copied,
        "--quiet",
        before=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    os.truncate(victim, 0)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert str(victim) in done.stdout


def places(path: Path, folders: str) -> list[Path]:
    """All files of a run."""
    found = [p.relative_to(path) for p in sorted(path.rglob(folders)) if p.is_file()]
    assert len(found) >= 3
    return found


@pytest.mark.slow
@pytest.mark.faults
def test_every_single_bit_of_a_manifest_counts(copied: Path) -> None:
    size = (newest(copied) / "manifest.json").stat().st_size
    flipped_manifests(newest(copied), range(8 * size))


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("file", FILES)
def test_damage_anywhere_sends_the_run_back(
    file: str, fresh_copy: Callable[[], Path], reference: Path
) -> None:
    rng = random.Random(file)
    for how in (cut, flip, zeros, longer, nothing) * 10:
        path, ears = fresh_copy(), Ears()
        damage(newest(path) / file, how, rng)
        resume(path, ears)
        assert len(ears.heard) == 1
        assert file in ears.heard[0]
        assert_identical(path, reference)


@pytest.mark.slow
@pytest.mark.faults
def test_every_byte_of_a_checkpoint_is_verified(copied: Path) -> None:
    """A bit of every byte of the small files, and of 2,000 bytes of the large one."""
    for file in PARTS:
        victim, rng = newest(copied) / file, random.Random(file)
        data = bytearray(victim.read_bytes())
        places = range(len(data)) if len(data) < 20_000 else rng.sample(range(len(data)), 2_000)
        for at in places:
            bit = 1 << rng.randrange(8)
            data[at] ^= bit
            victim.write_bytes(data)
            data[at] ^= bit
            with pytest.raises(DamagedError, match=file):
                checkpoint.read(newest(copied))
        victim.write_bytes(data)
    checkpoint.read(newest(copied))
