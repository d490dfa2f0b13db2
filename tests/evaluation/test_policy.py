"""The file of a policy: what is written is read, and nothing else is."""

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

from phieb.evaluation.exported import Exported, policy_of
from phieb.evaluation.policy import (
    Policy,
    digest_of,
    policy_bytes,
    read_policy,
    write_policy,
)
from phieb.files.errors import DamagedError
from tests.evaluation.support import lake
from tests.faults.attack import SPECIAL, instead
from tests.faults.test_loaders import HOSTILE, mutations, replaced, values, without

Arrays = dict[str, np.ndarray[Any, Any]]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    run = lake(tmp_path_factory.mktemp("lake") / "run")
    return policy_of(run, precision="half", licence="MIT")


@pytest.fixture
def file(policy: Policy, tmp_path: Path) -> Path:
    write_policy(tmp_path / "agent.safetensors", policy)
    return tmp_path / "agent.safetensors"


def facts_in(file: Path) -> dict[str, Any]:
    """What the metadata of a file say."""
    data = file.read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    found: dict[str, Any] = json.loads(header["__metadata__"]["phieb.policy"])
    return found


def forge(file: Path, facts: str | None = None, **arrays: np.ndarray[Any, Any] | None) -> None:
    """Write a file as somebody would who knows how its digest is made."""
    changed = {**load(file.read_bytes()), **arrays}
    found: Arrays = {name: array for name, array in changed.items() if array is not None}
    text = json.dumps(facts_in(file)) if facts is None else facts
    try:
        said = json.loads(text)
        said["digest"] = digest_of(said["facts"], found)
        text = json.dumps(said)
    except (ValueError, KeyError, RecursionError):  # such text has no digest
        pass
    file.write_bytes(save(found, {"phieb.policy": text}))


def test_what_is_written_is_read(policy: Policy, file: Path) -> None:
    found = read_policy(file)
    assert found.name == str(file)
    assert found.facts == policy.facts
    for name in ("ids", "weights", "scale", "ranges"):
        there, here = getattr(policy, name), getattr(found, name)
        assert there.dtype == here.dtype
        assert np.array_equal(there, here)
    assert file.read_bytes() == policy_bytes(policy) == policy_bytes(found)


def test_ids_above_32_bits(policy: Policy, tmp_path: Path) -> None:
    ids = policy.ids + 2**40
    write_policy(tmp_path / "far.safetensors", policy._replace(ids=ids))
    assert read_policy(tmp_path / "far.safetensors").ids.tolist() == ids.tolist()


def test_other_programs_can_read_it(file: Path, policy: Policy) -> None:
    """It is a plain file of safetensors, with nothing before or after."""
    found = load(file.read_bytes())
    assert sorted(found) == ["ids", "ranges", "scale", "weights"]
    assert found["weights"].shape == (policy.ids.size, 4)
    assert facts_in(file)["facts"]["licence"] == "MIT"


def refused(file: Path) -> str:
    """Why it is refused, in one line that names it."""
    with pytest.raises(DamagedError) as error:
        read_policy(file)
    said = str(error.value)
    assert said.startswith(f"{file}: ")
    assert "\n" not in said
    said.encode()
    return said


def test_a_file_that_is_no_policy(file: Path) -> None:
    file.write_bytes(save({"ids": np.arange(3)}))
    assert "is no exported policy" in refused(file)
    file.write_bytes(b"")
    assert "is no file of arrays" in refused(file)
    file.unlink()
    assert "No such file" in refused(file)


def test_a_later_schema(file: Path) -> None:
    said = facts_in(file)
    said["facts"] |= {"schema": 2, "something": "new"}
    forge(file, json.dumps(said))
    assert "has schema 2, this phieb reads 1" in refused(file)


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({"ids": None}, "ids"),
        ({"scale": None}, "scale"),
        ({"ids": np.array([[1, 2]])}, "ids"),
        ({"ids": np.array([-5] * 3)}, "ids"),
        ({"weights": np.zeros((3, 4), np.float64)}, "weights"),
        ({"weights": np.zeros((2, 4), np.float16)}, "weights"),
        ({"ranges": np.zeros((3, 1))}, "ranges"),
        ({"ranges": np.full((2, 1), np.nan)}, "ranges"),
    ],
)
def test_arrays_that_do_not_belong_together(arrays: dict[str, Any], says: str, file: Path) -> None:
    forge(file, **arrays)
    assert says in refused(file)


def test_numbers_that_are_none(file: Path, policy: Policy) -> None:
    weights = policy.weights.copy()
    weights[3, 1] = np.inf
    forge(file, weights=weights)
    assert "weights" in refused(file)


def test_ids_that_do_not_increase(file: Path, policy: Policy) -> None:
    for ids in (policy.ids[::-1], np.zeros_like(policy.ids)):
        forge(file, ids=np.ascontiguousarray(ids))
        assert "ids must" in refused(file)


def test_facts_and_arrays_that_were_not_written_together(file: Path, policy: Policy) -> None:
    said, arrays = facts_in(file), load(file.read_bytes())
    for changes in ({"weights": policy.weights + np.float16(1)}, {"more": np.zeros(3)}):
        file.write_bytes(save({**arrays, **changes}, {"phieb.policy": json.dumps(said)}))
        assert "not what was written" in refused(file)
    said["facts"]["training"]["mean"] += 1.0
    file.write_bytes(save(arrays, {"phieb.policy": json.dumps(said)}))
    assert "not what was written" in refused(file)


def test_a_fact_that_does_not_belong_there(file: Path) -> None:
    """Each in turn is missing or something else, and every digest is right."""
    said, sound = facts_in(file), file.read_bytes()
    ways = [way for way in values(said) if way[0] == "facts"]
    cases = [without(said, way) for way in ways]
    cases += [replaced(said, way, text) for way in ways for text in HOSTILE]
    kept = 0
    for data in random.Random(1).sample(cases, 200):
        file.write_bytes(sound)
        forge(file, data.decode())
        try:
            Exported(read_policy(file))
            kept += 1
        except DamagedError as error:
            assert "\n" not in str(error)
        except Exception as error:
            assert type(error).__name__ == "RunError", (error, data)
            assert "\n" not in str(error)
    assert kept < 100


def test_damaged_bytes(file: Path) -> None:
    """A flipped bit is found wherever it is."""
    data = file.read_bytes()
    cases = [other for _, other in mutations(data, random.Random(2), 150)]
    for at in random.Random(3).sample(range(len(data)), 150):
        cases.append(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
    same = 0
    for other in cases:
        file.write_bytes(other)
        try:
            same += policy_bytes(read_policy(file)) == data  # as JSON it says the same
        except DamagedError:
            refused(file)
        else:
            assert policy_bytes(read_policy(file)) == data
    assert same < 5


@pytest.mark.parametrize("kind", list(SPECIAL))
def test_no_file_at_all(kind: str, file: Path) -> None:
    make: Callable[[Path], None] = SPECIAL[kind]
    instead(file, make)
    assert refused(file)


def test_a_link_is_not_followed(file: Path, tmp_path: Path) -> None:
    shutil.move(file, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", file)
    assert "symbolic link" in refused(file)
