"""What a run leaves behind: one folder, readable without this program.

config.json (all settings, with versions), episodes.jsonl (a line an episode), checkpoints/,
evaluation.json, evaluations/ (one a checkpoint), and lock, held by the process that works on it.
"""

import dataclasses
import hashlib
import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from phieb.training import checkpoint
from phieb.training.checkpoint import DamagedError
from phieb.training.config import Config, from_json, versions
from phieb.training.errors import RunError as RunError
from phieb.training.lock import locked

# What every line of the log has, all of them numbers.
COLUMNS = (
    "episode",
    "frames",
    "decisions",
    "score",
    "length",
    "bonus",
    "pseudocount",
    "active",
    "observed",
    "frames_per_second",
)

_TAIL = 1 << 16  # bytes at the end of a log, enough for a hundred lines

T = TypeVar("T")
Facts = dict[str, Any]
Reader = Callable[[Path], tuple[T, Facts]]


class Run:
    """A run, by its files.

    Args:
        path: the folder; it need not exist yet.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.config_file = self.path / "config.json"
        self.log_file = self.path / "episodes.jsonl"
        self.evaluation_file = self.path / "evaluation.json"
        self.evaluations = self.path / "evaluations"
        self.checkpoints = self.path / "checkpoints"

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    def exists(self) -> bool:
        """Whether there is a run in the folder."""
        return self.config_file.exists()

    def create(self, config: Config) -> None:
        """A new run, with nothing in it but its settings."""
        if self.path.exists() and (not self.path.is_dir() or _strangers(self.path)):
            raise RunError(f"{self.path}: exists and is not a run; choose another --out")
        self.path.mkdir(parents=True, exist_ok=True)
        self.write_config(config)

    def write_config(self, config: Config) -> None:
        """The settings, whole or not at all."""
        facts = {"config": dataclasses.asdict(config), "versions": versions()}
        write_json(self.config_file, facts)

    def config(self) -> Config:
        """The settings of the run."""
        if not self.exists():
            raise RunError(f"{self.path}: no run here (no config.json)")
        facts = read_json(self.config_file)
        try:
            return from_json(facts.get("config"))
        except ValueError as error:
            raise RunError(f"{self.config_file}: {error}") from None

    def episodes(self) -> list[dict[str, Any]]:
        """The lines of the log; a last line that is torn is left out."""
        try:
            lines = self.log_file.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise RunError(f"{self.log_file}: {error.strerror}") from None
        found = []
        for number, line in enumerate(lines[:-1], start=1):  # what follows the last newline is torn
            try:
                found.append(_episode(json.loads(line), number))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise RunError(f"{self.log_file}: line {number} is damaged") from None
        return found

    def last_episodes(self) -> list[dict[str, Any]]:
        """The last hundred lines of the log or so, quickly, while it may be written to."""
        try:
            with self.log_file.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(size - _TAIL, 0))
                lines = file.read().split(b"\n")[1 if size > _TAIL else 0 : -1]
            return [_episode(json.loads(line), None) for line in lines][-100:]
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return []

    def frames(self) -> int:
        """How far the run is, by its newest checkpoint or its log."""
        episodes = self.episodes()
        return max(self.saved_frames(), int(episodes[-1]["frames"]) if episodes else 0)

    def saved_frames(self) -> int:
        """How far its newest checkpoint is: where it would go on from."""
        for name in checkpoint.names(self.checkpoints):
            try:
                return int(checkpoint.read_facts(self.checkpoints / name)["frames"])
            except DamagedError:
                continue
        return 0

    def log_digest(self, num_bytes: int) -> str:
        """SHA-256 of the first so many bytes of the log."""
        digest, left = hashlib.sha256(), num_bytes
        with self.log_file.open("rb") as file:
            while left > 0 and (data := file.read(min(left, 1 << 20))):
                digest.update(data)
                left -= len(data)
        return digest.hexdigest() if left == 0 else "the log is shorter"

    def newest(
        self, warn: Callable[[str], None]
    ) -> tuple[dict[str, dict[str, Any]], dict[str, Any]] | None:
        """Parts and facts of the newest checkpoint that is whole; None if there never was one.

        Raises:
            RunError: there are checkpoints, but all are damaged.
        """
        return self.newest_by(checkpoint.read, warn)

    def newest_by(self, read: Reader[T], warn: Callable[[str], None]) -> tuple[T, Facts] | None:
        """The same, as `read` has it, while a run that trains may delete old ones."""
        names = checkpoint.names(self.checkpoints)
        for name in names:
            try:
                return self.read_by(read, name)
            except DamagedError as error:
                if checkpoint.names(self.checkpoints) != names:  # not damaged but deleted
                    return self.newest_by(read, warn)
                warn(f"damaged checkpoint: {error}")
        if names:
            raise RunError(f"{self.checkpoints}: all {len(names)} checkpoints are damaged")
        return None

    def read_by(self, read: Reader[T], name: str) -> tuple[T, Facts]:
        """The checkpoint of this name, as `read` has it.

        Raises:
            DamagedError: it is missing, is not what was written, or does not go with the log.
        """
        found, facts = read(self.checkpoints / name)
        if facts["frames"] != int(name):
            raise DamagedError(f"{self.checkpoints / name}: is of frame {facts['frames']}")
        self._check_log(facts)
        return found, facts

    def check_same(self, config: Config, facts: dict[str, Any]) -> None:
        """A checkpoint must be of these settings and versions.

        Raises:
            RunError: it says which are not.
        """
        there = facts["versions"]
        differ = config.differences(facts["config"]) + [
            f"{package} is {there.get(package)} there and {mine} here"
            for package, mine in versions().items()
            if there.get(package) != mine
        ]
        if differ:
            raise RunError(f"{self.path}: was saved with other settings: {'; '.join(differ)}")

    def _check_log(self, facts: dict[str, Any]) -> None:
        """The log goes with a checkpoint if it starts as it did when that was taken."""
        try:
            found = self.log_digest(int(facts["log"]["bytes"]))
        except OSError as error:
            raise DamagedError(f"{self.log_file}: {error.strerror}") from None
        if found != facts["log"]["sha256"]:
            raise DamagedError(f"{self.log_file}: is not as checkpoint {facts['frames']} knows it")

    def locked(self) -> AbstractContextManager[None]:
        """For one process at a time."""
        return locked(self.path, "this run")


def numbers(values: Any) -> list[float]:
    """Values that must be numbers, and not too large for anything."""
    if not isinstance(values, list):
        raise TypeError
    if not all(type(x) in (int, float) and abs(x) < 1e18 for x in values):  # not for NaN
        raise ValueError
    return values


def _episode(line: Any, number: int | None) -> dict[str, Any]:
    """A line of the log, if it is one, and the one of this number."""
    numbers([line[name] for name in COLUMNS])
    rooms = line.get("rooms", {})
    numbers(list(rooms.values()))
    wrong = number is not None and line["episode"] != number
    if wrong or not all(room.isascii() and room.isdigit() for room in rooms):
        raise ValueError
    return dict(line)


def read_json(path: Path) -> dict[str, Any]:
    """An object from a file that should hold one."""
    try:
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise RunError(f"{path}: is not JSON") from None
    if not isinstance(found, dict):
        raise RunError(f"{path}: is not an object")
    return found


def write_json(path: Path, facts: Any) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w") as file:
            file.write(json.dumps(facts, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None


def _strangers(path: Path) -> bool:
    """Whether a folder has something in it that is not of a run."""
    ours = {"lock", "config.json.part"}
    return any(entry.name not in ours for entry in path.iterdir())
