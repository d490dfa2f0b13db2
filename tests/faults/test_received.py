"""A run folder received from others, with anything in the place of a file: nothing is harmed."""

import os
import shutil
from pathlib import Path

import pytest

from phieb.novelty import PhiBonus
from phieb.training import resume
from tests.faults.attack import COMMANDS, SPECIAL, instead, run_command, state
from tests.faults.support import Started, assert_clean_error, newest, phieb

PLACES = (
    "config.json", "episodes.jsonl", "evaluation.json", "lock", "checkpoints", "evaluations",
    "checkpoints/@newest", "checkpoints/@newest/manifest.json",
    "checkpoints/@newest/learner.safetensors", "report", "report/report.html",
    "report/ledger.csv", "evaluations/@newest.json", "film.mp4", "config.json.part",
    "evaluation.json.part",
)  # fmt: skip
FILES = (
    "config.json",
    "episodes.jsonl",
    "evaluation.json",
    "checkpoints/@newest/manifest.json",
    "checkpoints/@newest/world.safetensors",
    "lock",
)


@pytest.fixture
def outside(reference: Path, tmp_path: Path) -> Path:
    """What must not change: whole runs that links lead to, and what else is dear to somebody."""
    path = shutil.copytree(reference, tmp_path / "outside" / "run")
    (path / "evaluations").mkdir()
    (path / "report").mkdir()
    for name in PLACES:
        file = placed(path, name)
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(b"dear to somebody")
    return path


def placed(run: Path, name: str) -> Path:
    return run / name.replace("@newest", newest(run).name)


def linked(run: Path, outside: Path, name: str) -> None:
    """A file or folder of a run is a link to one elsewhere."""
    instead(placed(run, name), lambda file: os.symlink(placed(outside, name), file))


def try_links(
    places: tuple[str, ...],
    commands: tuple[str, ...],
    reference: Path,
    outside: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> int:
    before, refused = state(outside.parent), 0
    for number, name in enumerate(places):
        run = shutil.copytree(reference, tmp_path / f"{number}" / "run")
        linked(run, outside, name)
        for command in commands:
            code, out, err = run_command(command, run, capsys)
            refused += "symbolic link" in out + err
            assert code in (0, 1, 2), (name, command, err)
            assert state(outside.parent) == before, (name, command)
        shutil.rmtree(run.parent)
    return refused


@pytest.mark.parametrize("name", ["lock", "episodes.jsonl", "checkpoints", "config.json"])
def test_a_link_is_not_followed_when_a_run_is_resumed(
    name: str, reference: Path, outside: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert try_links((name,), ("extend",), reference, outside, tmp_path, capsys) == 1


@pytest.mark.parametrize("name", ["report", "report/report.html", "config.json.part"])
def test_a_link_is_not_followed_when_something_is_written(
    name: str, reference: Path, outside: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try_links((name,), ("report", "extend"), reference, outside, tmp_path, capsys)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("name", PLACES)
def test_no_link_is_followed_by_any_command(
    name: str, reference: Path, outside: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try_links((name,), tuple(COMMANDS), reference, outside, tmp_path, capsys)


def test_a_log_that_is_in_two_folders_is_not_written(
    begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.link(begun / "episodes.jsonl", tmp_path / "dear")
    before = (tmp_path / "dear").read_bytes()
    code, _, err = run_command("extend", begun, capsys)
    assert (code, "several names (hard links)" in err) == (1, True)
    assert (tmp_path / "dear").read_bytes() == before


def test_only_what_a_manifest_names_is_deleted(
    begun: Path, reference: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Old checkpoints are dropped; one that holds something else is left, whole."""
    kept = begun / "checkpoints" / "000000000001"
    shutil.copytree(newest(begun), kept)
    (kept / "notes.txt").write_text("dear to somebody")
    before = state(kept)
    assert run_command("extend", begun, capsys)[0] == 0
    assert state(kept) == before
    assert newest(begun).name > newest(reference).name


def try_special(
    kind: str, places: tuple[str, ...], commands: tuple[str, ...],
    reference: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """One line for the damaged run, and the others are shown."""
    for number, name in enumerate(places):
        folder = tmp_path / f"{number}"
        run = shutil.copytree(reference, folder / "run")
        shutil.copytree(reference, folder / "sound")
        instead(placed(run, name), SPECIAL[kind])
        for command in commands:
            code, out, err = run_command(command, run, capsys)
            assert code in (0, 1), (name, command, err)
            if command == "runs":
                assert (code, err) == (0, "")
                assert "sound" in out
        shutil.rmtree(folder)


@pytest.mark.parametrize("kind", list(SPECIAL))
def test_a_file_that_is_none(
    kind: str, reference: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = ("episodes.jsonl", "checkpoints/@newest/manifest.json")
    try_special(kind, places, ("runs", "show"), reference, tmp_path, capsys)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("kind", list(SPECIAL))
def test_any_file_that_is_none(
    kind: str, reference: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try_special(kind, FILES, tuple(COMMANDS), reference, tmp_path, capsys)


def test_in_processes_of_their_own(reference: Path, tmp_path: Path) -> None:
    """A pipe instead of settings, a link instead of a log: as somebody would see it."""
    runs = tmp_path / "runs"
    for name in ("sound", "pipe", "link"):
        shutil.copytree(reference, runs / name)
    instead(runs / "pipe" / "config.json", SPECIAL["pipe"])
    instead(runs / "link" / "episodes.jsonl", lambda file: os.symlink("/etc/passwd", file))
    done = phieb("runs", runs)
    assert (done.returncode, done.stderr) == (0, "")
    for said in ("is not a regular file", "is a symbolic link", "sound", "100%"):
        assert said in done.stdout.replace("\n", " ")
    with Started("resume", runs / "pipe") as stuck:
        code, _, err = stuck.end()
    expected = f"phieb: {runs / 'pipe' / 'config.json'}: is not a regular file\n"
    assert (code, err) == (1, expected)


@pytest.mark.parametrize("kind", list(SPECIAL))
def test_a_saved_bonus_that_is_none(kind: str, tmp_path: Path) -> None:
    bonus = PhiBonus()
    bonus.save(tmp_path / "sound")
    SPECIAL[kind](tmp_path / "bonus")
    (tmp_path / "link").symlink_to(tmp_path / "sound")
    with pytest.raises(ValueError, match="bonus: is (not a regular file|larger than)"):
        bonus.load(tmp_path / "bonus")
    with pytest.raises(ValueError, match="link: is a symbolic link"):
        bonus.load(tmp_path / "link")
    before = (tmp_path / "sound").read_bytes()
    bonus.observe([1])
    bonus.save(tmp_path / "link")  # it takes the place of the link
    assert (tmp_path / "sound").read_bytes() == before
    bonus.load(tmp_path / "link")


@pytest.mark.parametrize("name", ["logs", "logs/venture-none-1.txt"])
def test_a_link_is_not_followed_when_trials_begin(name: str, tmp_path: Path) -> None:
    """What a trial says is written beside its run; a pipe there would wait for a reader."""
    dear, out = tmp_path / "dear", tmp_path / "out"
    (dear / "logs").mkdir(parents=True)
    (dear / "logs" / "venture-none-1.txt").write_text("dear to somebody")
    (out / name).parent.mkdir(parents=True)
    (out / name).symlink_to(dear / name)
    before = state(dear)
    given = ["--games", "venture", "--bonuses", "none", "--frames", "1k", "--trials", "1"]
    done = phieb("compare", *given, "--out", out)
    assert_clean_error(done, 1, out / name, "is a symbolic link")
    assert state(dear) == before
    (out / name).unlink()
    (out / "logs").mkdir(exist_ok=True)
    os.mkfifo(out / "logs" / "venture-none-1.txt")
    done = phieb("compare", *given, "--out", out)
    assert_clean_error(done, 1, "venture-none-1.txt: is not a regular file")


def test_what_0_5_0_did_not_write_to_its_end_is_swept(begun: Path) -> None:
    left = begun / "checkpoints" / "000000005000.part"
    shutil.copytree(newest(begun), left)
    resume(begun, frames=5_000)
    assert not left.exists()
