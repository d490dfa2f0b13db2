"""Small damaged files, each once a failure or close to one; and others that Hypothesis thinks of.

A manifest is made to know of a damaged file: what is wrong is found behind the right hashes.
"""

import copy
import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save

from phieb.evaluation.evaluate import evaluate
from phieb.evaluation.record import read_evaluation
from phieb.training import Run, RunError, resume, train
from phieb.training.checkpoint import digest_of
from tests.faults.attack import run_command
from tests.faults.support import PARTS, Ears, Record, config, newest, redescribe, rewrite_manifest

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*/*"))
SMALL = {"frames": 60, "checkpoint_every": 20, "max_frames": 20}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run with an evaluation. Not to be changed."""
    path = tmp_path_factory.mktemp("small") / "run"
    evaluate(train(config("FrozenLake-v1", **SMALL), path), 2, workers=1)
    return path


def know(run: Path) -> None:
    """Let every manifest agree with the log and the files as they are."""
    log = (run / "episodes.jsonl").read_bytes()
    known = {"bytes": len(log), "sha256": hashlib.sha256(log).hexdigest()}
    for folder in (run / "checkpoints").iterdir():
        rewrite_manifest(folder, lambda facts: facts.update(log=known))


def put(case: Path, run: Path) -> None:
    """A damaged file in the place of a sound one."""
    name = case.parent.name
    inside = name in (*PARTS, "manifest.json")
    for folder in (run / "checkpoints").iterdir() if inside else [run]:
        shutil.copy(case, folder / name)
        if name in PARTS:
            redescribe(folder)
    if name == "episodes.jsonl":
        know(run)


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_damaged_file(
    case: Path, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line names the file and the cause, where it is read; the other runs are listed."""
    run = shutil.copytree(small, tmp_path / "runs" / "run")
    shutil.copytree(small, tmp_path / "runs" / "sound")
    put(case, run)
    refused, said = 0, ""
    for command in ("show", "runs", "resume"):
        code, out, err = run_command(command, run, capsys)
        refused, said = refused + (code == 1), said + out + err
        assert command != "runs" or (code == 0 and "sound" in out)
    assert refused > 0
    assert case.parent.name in said or "/checkpoints: " in said


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20)
    | st.sampled_from(["\0", "\ud800", "1" * 5_000, 10**400, -1, 0, "[/red]", "../x", "0" * 64]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)  # fmt: skip


def ways(found: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in some JSON."""
    inside: Any = found.items() if isinstance(found, dict) else ()
    inside = enumerate(found) if isinstance(found, list) else inside
    return [way] * bool(way) + [w for key, one in inside for w in ways(one, (*way, key))]


def changed(found: Any, way: tuple[Any, ...], value: Any) -> Any:
    """The JSON with something else in one place."""
    found = copy.deepcopy(found)
    place = found
    for key in way[:-1]:
        place = place[key]
    place[way[-1]] = value
    return found


def change_record(run: Path, data: st.DataObject) -> None:
    """A value of one of the files is another, and every hash is right."""
    name = data.draw(st.sampled_from(["config", "log", "evaluation", "manifest"]))
    files = {
        "config": run / "config.json",
        "log": run / "episodes.jsonl",
        "evaluation": run / "evaluation.json",
        "manifest": newest(run) / "manifest.json",
    }
    lines = files[name].read_text().splitlines() if name == "log" else [files[name].read_text()]
    at = data.draw(st.integers(0, len(lines) - 1))
    found = json.loads(lines[at])
    found = changed(found, data.draw(st.sampled_from(ways(found))), data.draw(VALUES))
    if "digest" in found:
        found["digest"] = digest_of(found)
    lines[at] = json.dumps(found)
    files[name].write_text("\n".join(lines) + "\n")
    if name == "log":
        know(run)


def change_arrays(run: Path, data: st.DataObject) -> None:
    """An array of a checkpoint is another, and every hash is right."""
    folder, part = newest(run), data.draw(st.sampled_from(PARTS))
    arrays = load((folder / part).read_bytes())
    name = data.draw(st.sampled_from(sorted(arrays)))
    kind = data.draw(
        st.sampled_from([str(arrays[name].dtype), "int8", "uint64", "float32", "bool"])
    )
    shape = data.draw(
        st.sampled_from([arrays[name].shape, (0,), (1,), (3, 2), (arrays[name].size + 1,), ()])
    )
    many = int(np.prod(shape)) * np.dtype(kind).itemsize
    raw = data.draw(st.binary(min_size=min(many, 64), max_size=min(many, 64)))
    raw = (raw * (many // max(len(raw), 1) + 1))[:many]
    if kind == "bool":
        raw = bytes(byte & 1 for byte in raw)
    arrays[name] = np.frombuffer(raw, kind).reshape(shape)
    (folder / part).write_bytes(save(arrays))
    redescribe(folder)


def use(run: Path) -> None:
    """All that reads a run; anything but `RunError` is a traceback for the user."""
    found, said = Run(run), Ears()
    for read in (
        found.config,
        found.episodes,
        found.frames,
        lambda: read_evaluation(found),
        lambda: resume(run, said, frames=90),
    ):
        try:
            read()
        except RunError as error:
            assert "\n" not in str(error)
            str(error).encode()


def forge(change: Callable[[Path, st.DataObject], None], small: Path, examples: int) -> None:
    """Change a run in as many ways, and use it."""

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def check(data: st.DataObject) -> None:
        run = small.parent / "forged"
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(small, run)
        change(run, data)
        use(run)

    check()


@pytest.mark.parametrize("change", [change_record, change_arrays])
def test_forged(change: Callable[[Path, st.DataObject], None], small: Path) -> None:
    forge(change, small, 25)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("change", [change_record, change_arrays])
def test_forged_many_times(
    change: Callable[[Path, st.DataObject], None], small: Path, record_property: Record
) -> None:
    forge(change, small, 3_000)
    record_property("forged", 3_000)
