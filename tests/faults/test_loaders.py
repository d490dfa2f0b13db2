"""Whatever is in the files of a run, the program says what is wrong with it, and no more."""

import hashlib
import io
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from phieb.evaluation.record import read_evaluation
from phieb.files.arrays import read_arrays
from phieb.reports.runs import about, all_runs
from phieb.reports.tables import read_csv
from phieb.training import Run, RunError
from phieb.training.checkpoint import names
from tests.faults.support import FILES, Ears, assert_clean_error, phieb, rewrite_manifest

# Instead of a value somewhere in a file.
HOSTILE = (
    "null", "true", "-1", "0", "1e400", "NaN", "-Infinity", "1" + "0" * 400, "1" + "0" * 5_000,
    '"x"', '"7"', '""', '"[/red]"', "[]", "{}", "[1]", "[[1]]", '{"x": 1}', '["x", "y"]',
    "[" * 100_000,
)  # fmt: skip
EVALUATION = {
    "frames": 12_000,
    "checkpoint": {"name": "000000012000", "digest": "0a" * 32, "learner": "1b" * 32},
    "epsilon": 0.01,
    "evaluate_on": "behaviour",
    **{
        kind: {"mean": 2.5, "interval": [1.0, 4.0], "scores": [1.0, 4.0], "frames": [900, 800]}
        for kind in ("behaviour", "extrinsic")
    },
}
EPISODE = {
    "score": 1.0,
    "length": 1_500,
    "bonus": 1.0,
    "pseudocount": 1.0,
    "active": 9.5,
    "observed": 90,
    "frames_per_second": 7_000.5,
}


@pytest.fixture
def run(reference: Path, tmp_path: Path) -> Path:
    """A run that has everything, rooms and an evaluation included."""
    path = shutil.copytree(reference, tmp_path / "runs" / "run")
    (path / "evaluation.json").write_text(json.dumps(EVALUATION))
    lines = [
        {
            "episode": k,
            "frames": 1_500 * k,
            "decisions": 300 * k,
            **EPISODE,
            "rooms": {"1": 2, "4": 1},
        }
        for k in range(1, 9)
    ]
    log = "".join(json.dumps(line) + "\n" for line in lines).encode()
    (path / "episodes.jsonl").write_bytes(log)
    known = {"bytes": len(log), "sha256": hashlib.sha256(log).hexdigest()}
    for folder in (path / "checkpoints").iterdir():
        rewrite_manifest(folder, lambda facts: facts.update(log=known))
    assert read_everything(path) == 0
    return path


def read_everything(path: Path) -> int:
    """All that reads a run, as the commands do; returns how often one line said what is wrong.

    Anything but RunError is a traceback for the user.
    """
    run, said = Run(path), Ears()

    def show() -> None:
        console = Console(file=io.StringIO(), width=120)
        for part in about(run):
            console.print(part)

    def runs() -> None:
        Console(file=io.StringIO(), width=120).print(*all_runs(path.parent))

    refused = 0
    for read in (
        run.config,
        run.episodes,
        run.frames,
        lambda: run.newest(said.warn),
        lambda: read_evaluation(run),
        show,
        runs,
    ):
        try:
            read()
        except RunError as error:
            refused += 1
            assert str(path) in str(error)
            assert "\n" not in str(error)
    return refused + len(said.heard)


def values(found: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in some JSON."""
    if way:
        yield way
    if isinstance(found, dict | list):
        for key in found if isinstance(found, dict) else range(len(found)):
            yield from values(found[key], (*way, key))


def replaced(found: Any, way: tuple[Any, ...], text: str) -> bytes:
    """The JSON with something else in one place."""
    copy = json.loads(json.dumps(found))
    place = copy
    for key in way[:-1]:
        place = place[key]
    place[way[-1]] = "@here@"
    return json.dumps(copy).replace('"@here@"', text).encode()


def without(found: Any, way: tuple[Any, ...]) -> bytes:
    """The JSON with nothing in one place."""
    copy = json.loads(json.dumps(found))
    place = copy
    for key in way[:-1]:
        place = place[key]
    del place[way[-1]]
    return json.dumps(copy).encode()


def try_all(path: Path, file: Path, cases: Iterator[tuple[str, bytes]]) -> None:
    """Put each in place of the file; none may bring more than one line."""
    refused, problems = 0, dict[str, str]()
    for name, data in cases:
        file.write_bytes(data)
        try:
            refused += read_everything(path)
        except AssertionError:
            raise
        except Exception as error:
            problems.setdefault(f"{type(error).__name__}: {error}"[:100], name[:100])
    assert not problems, "\n".join(f"{error} <- {name}" for error, name in problems.items())
    assert refused > 0


def hostile_values(found: Any, prefix: bytes, suffix: bytes) -> Iterator[tuple[str, bytes]]:
    """Each value of some JSON in turn is missing or something else."""
    for way in values(found):
        yield f"{way} missing", prefix + without(found, way) + suffix
        for text in HOSTILE:
            yield f"{way} = {text[:40]}", prefix + replaced(found, way, text) + suffix


def of_file(file: Path) -> tuple[Any, bytes, bytes]:
    """Some JSON in a file, with what comes before and after it."""
    data = file.read_bytes()
    if file.suffix != ".jsonl":
        return json.loads(data), b"", b""
    lines = data.splitlines(keepends=True)
    return json.loads(lines[4]), b"".join(lines[:4]), b"\n" + b"".join(lines[5:])


JSON_FILES = ("config.json", "episodes.jsonl", "evaluation.json")


@pytest.mark.parametrize("name", JSON_FILES)
def test_a_value_that_does_not_belong_there(name: str, run: Path) -> None:
    """A sample; the long form tries each value everywhere."""
    cases = list(hostile_values(*of_file(run / name)))
    try_all(run, run / name, iter(random.Random(name).sample(cases, 60)))


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("name", JSON_FILES)
def test_any_value_that_does_not_belong_there(name: str, run: Path) -> None:
    try_all(run, run / name, hostile_values(*of_file(run / name)))


def test_the_last_episode_has_a_strange_value(run: Path) -> None:
    """What a run is shown by: its last line."""
    file = run / "episodes.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    cases = hostile_values(json.loads(lines[-1]), b"".join(lines[:-1]), b"\n")
    wanted = [case for case in cases if case[0].startswith(("('frames'", "('score'", "('rooms',)"))]
    try_all(run, file, iter(wanted))


def mutations(data: bytes, rng: random.Random, count: int) -> Iterator[tuple[str, bytes]]:
    """Bits flipped, bytes overwritten, pieces cut out, doubled and put in."""
    for number in range(count):
        other = bytearray(data)
        for _ in range(rng.choice([1, 1, 2, 8])):
            at = rng.randrange(len(other) + 1)
            to = min(at + rng.choice([1, 1, 4, 60]), len(other))
            how = rng.randrange(6)
            if how == 0 and at < len(other):
                other[at] ^= 1 << rng.randrange(8)
            elif how == 1:
                other[at:to] = rng.randbytes(to - at)
            elif how == 2:
                del other[at:to]
            elif how == 3:
                other[at:at] = other[at:to]
            elif how == 4:
                other[at:at] = rng.choice(HOSTILE).encode()
            else:
                del other[at:]
        yield f"mutation {number}", bytes(other)


def files(run: Path) -> dict[str, Path]:
    newest = run / "checkpoints" / names(run / "checkpoints")[0]
    found = [*(run / name for name in JSON_FILES), *(newest / name for name in FILES)]
    return {file.name: file for file in found}


@pytest.mark.parametrize("name", [*JSON_FILES, *FILES])
def test_mutated_bytes(name: str, run: Path) -> None:
    file = files(run)[name]
    try_all(run, file, mutations(file.read_bytes(), random.Random(name), 20))


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("name", [*JSON_FILES, *FILES])
def test_many_mutated_bytes(name: str, run: Path) -> None:
    file = files(run)[name]
    try_all(run, file, mutations(file.read_bytes(), random.Random(f"{name}, long"), 1_500))


CASES: dict[str, tuple[str, Callable[[bytes], bytes], list[str]]] = {
    "half a config": ("config.json", lambda data: data[:99], ["show", "resume"]),
    "an infinite score": (
        "episodes.jsonl",
        lambda data: data.replace(b'"score": 1.0', b'"score": 1e400', 1),
        ["show"],
    ),
    "infinitely many frames": (
        "episodes.jsonl",
        lambda data: data.replace(b'"frames": 1500', b'"frames": 1e400', 1),
        ["show"],
    ),
    "an interval of three": (
        "evaluation.json",
        lambda data: data.replace(b"[1.0, 4.0]", b"[1.0, 4.0, 5.0]", 1),
        ["show"],
    ),
}


@pytest.mark.parametrize("case", list(CASES))
def test_on_the_command_line(case: str, run: Path) -> None:
    name, change, commands = CASES[case]
    before = (run / name).read_bytes()
    (run / name).write_bytes(change(before))
    assert (run / name).read_bytes() != before
    for command in commands:
        assert_clean_error(phieb(command, run), 1, run / name)
    done = phieb("runs", run.parent)  # one bad run does not hide the others
    assert (done.returncode, done.stderr) == (0, "")
    assert "run" in done.stdout


def test_files_of_too_many_values_are_not_read_for_minutes(run: Path, tmp_path: Path) -> None:
    """As large as their kind may be: a list of millions, a header of arrays, rows of a table."""
    found = json.loads((run / "evaluation.json").read_text())
    found["behaviour"]["scores"] = [0] * 1_000_001
    (run / "evaluation.json").write_text(json.dumps(found))
    with pytest.raises(RunError, match=r"scores has 1,000,001 parts, and at most 1,000,000"):
        read_evaluation(Run(run))
    one = {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]}
    header = json.dumps(dict.fromkeys(map(str, range(100_001)), one)).encode()
    arrays = tmp_path / "arrays"
    arrays.write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(RunError, match="tensors has 100,001 parts"):
        read_arrays(arrays)
    (tmp_path / "race.csv").write_text("a\n" * 1_000_002)
    with pytest.raises(RunError, match="has more than 1,000,000 rows"):
        read_csv(tmp_path / "race.csv")


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    done = phieb("resume", tmp_path / "none")
    assert_clean_error(done, 2, tmp_path / "none", "no such folder")
    assert list(tmp_path.iterdir()) == []
