"""A policy as a file: what a trained agent needs to play, in one safetensors file of a few MB.

It has the weights of one value, the settings that decide how the game is played, and what is known
of their origin. What only learning needs is left out: traces, counts, random streams.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.files import writing
from phieb.files.arrays import Arrays, packed, read_arrays, unpacked
from phieb.files.errors import DamagedError
from phieb.files.reading import parsed
from phieb.files.records import (
    Count,
    Number,
    Range,
    Settings,
    Sha256,
    Text,
    Versions,
    Word,
    checked,
)

SCHEMA = 1
SUFFIX = ".safetensors"
DTYPES = {"single": np.float32, "half": np.float16, "byte": np.int8}
LICENCE = r"[\w.+ -]{0,100}"
_FACTS = "phieb.policy"  # the entry of the file's metadata that has the facts


class Scores(TypedDict):
    """What came of some episodes."""

    episodes: Count
    mean: Number
    interval: NotRequired[list[Number]]  # 95 %, over the episodes


class Facts(TypedDict):
    """What a file says of its policy."""

    schema: Count
    agent: Word  # what tables call it
    settings: Settings  # of the run, all of them
    versions: Versions  # that it was trained with
    frames: Count  # of training
    learner: Sha256  # of the checkpoint that it was taken from
    value: Literal["behaviour", "extrinsic"]
    precision: Literal["single", "half", "byte"]  # of the weights
    observed: Count  # features that were active in training
    kept: Count  # those of them that are in the file
    epsilon: Annotated[float, Range(0, 1)]  # it is evaluated with
    licence: Annotated[str, Text(LICENCE)]
    training: NotRequired[Scores]  # of the last hundred episodes
    evaluation: NotRequired[Scores]  # of the checkpoint, with its weights as they were learnt
    exported: NotRequired[Scores]  # of what is in the file


class Policy(NamedTuple):
    """A policy in memory.

    Attributes:
        name: its file, for messages.
        facts: what is known of it.
        ids: (n,), features, ascending.
        weights: (n, action), as they are stored.
        scale: (n, 1), what the weights of a feature are to be multiplied by.
        ranges: (2, d), where tiles lie that were learnt or given; (2, 0) for other maps.
    """

    name: str
    facts: Facts
    ids: NDArray[np.int64]
    weights: NDArray[Any]
    scale: NDArray[np.float32]
    ranges: NDArray[np.float64]


def read_policy(path: Path) -> Policy:
    """Read a policy that was exported by this version or an earlier one.

    Raises:
        DamagedError: the file is not what was written, or is of a later version.
    """
    arrays, metadata = unpacked(path, read_arrays(path))
    if _FACTS not in metadata:
        raise DamagedError(f"{path}: is no exported policy")
    try:
        facts = _facts(metadata[_FACTS], arrays)
        ids = arguments.feature_ids("ids", arguments.part("the file", arrays, "ids"))
        shapes = {"weights": (ids.size, None), "scale": (ids.size, 1), "ranges": (2, None)}
        types = {"weights": DTYPES[facts["precision"]], "scale": np.float32, "ranges": np.float64}
        parts = [
            arguments.array_part("the file", arrays, name, types[name], shape)
            for name, shape in shapes.items()
        ]
        for name, part in zip(shapes, parts, strict=True):
            arguments.finite(name, part)
        if np.any(np.diff(ids) <= 0):
            raise ValueError("ids must increase")
    except (TypeError, ValueError) as error:
        raise DamagedError(f"{path}: {error}") from None
    return Policy(str(path), facts, ids, *parts)


def check_licence(name: str, text: str) -> None:
    """Raise ValueError unless a text is the name of a licence, such as "MIT", or empty."""
    if not re.fullmatch(LICENCE, text):
        raise ValueError(f"{name} must be the name of a licence such as MIT, got {text!r}")


def write_policy(path: Path, policy: Policy) -> None:
    """Write a policy.

    Raises:
        OSError: nothing was written.
    """
    writing.write(path, policy_bytes(policy))


def policy_bytes(policy: Policy) -> bytes:
    """What the file of a policy has in it."""
    is_small = policy.ids.size == 0 or int(policy.ids[-1]) < 2**32
    arrays = {
        "ids": policy.ids.astype(np.uint32 if is_small else np.int64),
        "weights": policy.weights,
        "scale": policy.scale,
        "ranges": policy.ranges,
    }
    said = {"facts": policy.facts, "digest": digest_of(policy.facts, arrays)}
    return packed(arrays, {_FACTS: json.dumps(said, sort_keys=True)})


def _facts(text: str, arrays: Arrays) -> Facts:
    """What is known of a policy, if it was written with these arrays.

    Raises:
        ValueError: it is not; the message says why.
    """
    found = parsed(text.encode())
    if not isinstance(found, dict) or not isinstance(found.get("facts"), dict):
        raise ValueError("is no exported policy")
    schema = found["facts"].get("schema")
    if schema != SCHEMA:
        raise ValueError(f"has schema {schema!r}, this phieb reads {SCHEMA}")
    facts = checked(Facts, found["facts"])
    if found.get("digest") != digest_of(facts, arrays):
        raise ValueError("not what was written")
    return facts


def digest_of(facts: Mapping[str, Any], arrays: Arrays) -> str:
    """SHA-256 of facts and arrays, whatever their order in a file."""
    found = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for name in sorted(arrays):
        part = np.ascontiguousarray(arrays[name])
        found.update(f"{name} {part.dtype.str} {part.shape}\n".encode())
        found.update(part.tobytes())
    return found.hexdigest()
