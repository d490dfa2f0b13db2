"""The folder of a run, whose files can be read without this program.

It contains config.json (all settings, and versions), episodes.jsonl (one line per episode),
checkpoints/, evaluation.json, evaluations/ (one for each evaluated checkpoint), play.mp4, and lock,
which a process that trains or evaluates holds.
"""

import dataclasses
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from phieb.files import reading, writing
from phieb.files.errors import DamagedError, MissingError
from phieb.files.errors import RunError as RunError
from phieb.files.records import Settings, Versions
from phieb.training import checkpoint
from phieb.training.checkpoint import Manifest
from phieb.training.config import SINCE_0_5, Config, from_json, versions
from phieb.training.episode_log import episode_line, log_digest
from phieb.training.lock import locked

_TAIL = 1 << 16  # bytes at the end of a log that hold at least a hundred lines

T = TypeVar("T")
Reader = Callable[[Path], tuple[T, Manifest]]


class Saved(TypedDict):
    """The contents of config.json."""

    config: Settings
    versions: Versions


class Run:
    """A run, read from and written to its folder.

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
        self.film = self.path / "play.mp4"  # of `phieb play`, unless it is told another place

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    def exists(self) -> bool:
        """Whether the folder has a config.json, valid or not."""
        return os.path.lexists(self.config_file)

    def create(self, config: Config) -> None:
        """Create the folder with config.json."""
        if self.path.exists() and (not self.path.is_dir() or _strangers(self.path)):
            raise RunError(f"{self.path}: exists and is not a run; choose another --out")
        writing.make_folder(self.path)
        self.write_config(config)

    def write_config(self, config: Config) -> None:
        """Write config.json atomically."""
        self.write_json(
            self.config_file, {"config": dataclasses.asdict(config), "versions": versions()}
        )

    def write_json(self, path: Path, facts: Any) -> None:
        """Write a JSON file in the folder atomically."""
        try:
            writing.write(path, json.dumps(facts, indent=1) + "\n", within=self.path)
        except OSError as error:
            raise RunError(f"{error.filename}: {error.strerror}") from None

    def config(self) -> Config:
        """The settings of the run."""
        try:
            return from_json(self._saved()["config"])
        except ValueError as error:
            raise DamagedError(f"{self.config_file}: {error}") from None

    def versions(self) -> dict[str, str]:
        """The versions of phieb and its dependencies that wrote config.json."""
        return self._saved()["versions"]

    def _saved(self) -> Saved:
        try:
            return reading.read_record(Saved, self.config_file, reading.JSON)
        except MissingError:
            raise RunError(f"{self.path}: no run here (no config.json)") from None

    def episodes(self) -> list[dict[str, Any]]:
        """The lines of the log, without an incomplete last line.

        Raises:
            DamagedError: the log differs from the one the newest checkpoint was saved with, or a
                line is invalid.
        """
        self._check_log()
        return self.logged()

    def logged(self) -> list[dict[str, Any]]:
        """Like `episodes`, but the log is not compared with the newest checkpoint."""
        found, frames = list[dict[str, Any]](), 0
        try:
            for number, line in enumerate(reading.lines(self.log_file), start=1):
                try:
                    found.append(episode_line(line, number, frames))
                except ValueError as error:
                    said = f"{self.log_file}: line {number} is damaged: {error}"
                    raise DamagedError(said) from None
                frames = found[-1]["frames"]
        except MissingError:
            return []
        return found

    def last_episodes(self) -> list[dict[str, Any]]:
        """About the last hundred lines of the log; safe while another process appends to it."""
        try:
            data, cut = reading.tail(self.log_file, _TAIL)
            lines = data.split(b"\n")[1 if cut else 0 : -1]
            return [episode_line(line) for line in lines][-100:]
        except (DamagedError, ValueError):
            return []

    def frames(self) -> int:
        """Frames trained so far, from the newest checkpoint and the log."""
        episodes = self.last_episodes()
        return max(self.saved_frames(), episodes[-1]["frames"] if episodes else 0)

    def saved_frames(self) -> int:
        """Frames at the newest checkpoint with a valid manifest; 0 without one."""
        for name in checkpoint.names(self.checkpoints):
            try:
                return checkpoint.read_facts(self.checkpoints / name)["frames"]
            except DamagedError:
                continue
        return 0

    def newest(
        self, warn: Callable[[str], None]
    ) -> tuple[dict[str, dict[str, Any]], Manifest] | None:
        """Arrays and manifest of the newest undamaged checkpoint; None if there are none.

        Raises:
            RunError: all checkpoints are damaged.
        """
        return self.newest_by(checkpoint.read, warn)

    def newest_by(self, read: Reader[T], warn: Callable[[str], None]) -> tuple[T, Manifest] | None:
        """`newest` with another reader; training may delete checkpoints at the same time."""
        names = checkpoint.names(self.checkpoints)
        for name in names:
            try:
                return self.read_by(read, name)
            except DamagedError as error:
                if checkpoint.names(self.checkpoints) != names:  # deleted, not damaged
                    return self.newest_by(read, warn)
                warn(f"damaged checkpoint: {error}")
        if names:
            raise RunError(f"{self.checkpoints}: all {len(names)} checkpoints are damaged")
        return None

    def read_by(self, read: Reader[T], name: str) -> tuple[T, Manifest]:
        """The checkpoint of this name, read by `read`.

        Raises:
            DamagedError: it is missing, damaged, or does not match the log.
        """
        found, facts = read(self.checkpoints / name)
        if facts["frames"] != int(name):
            raise DamagedError(f"{self.checkpoints / name}: is of frame {facts['frames']}")
        self._check_log_of(facts)
        return found, facts

    def check_same(self, config: Config, facts: Manifest) -> None:
        """Check that a run can be resumed from a checkpoint: same settings, same versions.

        Raises:
            RunError: it cannot; the message lists the differences.
        """
        both = (facts["versions"], self.versions())  # config.json may have been edited
        self._refuse_if(self._differences(config, facts), *map(other_versions, both))

    def check_settings(self, config: Config, facts: Manifest) -> None:
        """Check that a checkpoint was saved with these settings, with any versions.

        Raises:
            RunError: it was not; the message lists the differences.
        """
        self._refuse_if(self._differences(config, facts))

    def _differences(self, config: Config, facts: Manifest) -> list[str]:
        return config.differences({**SINCE_0_5, **facts["config"]})

    def _refuse_if(self, *differ: list[str]) -> None:
        said = dict.fromkeys(one for some in differ for one in some)  # each once
        if said:
            raise RunError(f"{self.path}: was saved with other settings: {'; '.join(said)}")

    def _check_log(self) -> None:
        """Compare the log with the newest undamaged checkpoint."""
        names = checkpoint.names(self.checkpoints)
        for name in names:
            try:
                facts = checkpoint.read_facts(self.checkpoints / name)
            except DamagedError:
                continue
            try:
                return self._check_log_of(facts)
            except DamagedError:
                if checkpoint.is_whole(self.checkpoints / name):
                    raise
        if checkpoint.names(self.checkpoints) != names:  # deleted meanwhile, by training
            return self._check_log()
        if names:
            raise RunError(f"{self.checkpoints}: all {len(names)} checkpoints are damaged")
        return None

    def _check_log_of(self, facts: Manifest) -> None:
        """Check that the log begins with the bytes that it had when a checkpoint was saved."""
        if log_digest(self.log_file, facts["log"]["bytes"]) != facts["log"]["sha256"]:
            raise DamagedError(f"{self.log_file}: is not as checkpoint {facts['frames']} knows it")

    def locked(self) -> AbstractContextManager[None]:
        """Lock the folder for this process (`phieb.training.lock`)."""
        return locked(self.path, "this run")


def other_versions(there: Mapping[str, str]) -> list[str]:
    """The packages that a run's numbers depend on and that are others here, in words."""
    return [
        f"{package} is {there.get(package)} there and {mine} here"
        for package, mine in versions().items()
        if there.get(package) != mine
    ]


def runs_in(folder: Path) -> Iterator[Run]:
    """All runs in a folder and its subfolders, sorted by path; links are not followed."""
    folders, found = [folder], list[Path]()
    while folders:
        here = folders.pop()
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(here / entry.name)
                    elif entry.name == "config.json":
                        found.append(here)
        except OSError:  # deleted meanwhile, or not readable
            continue
    return map(Run, sorted(found))


def _strangers(path: Path) -> bool:
    """Whether a folder contains anything except a lock and unfinished files."""
    return any(entry.name != "lock" and not writing.is_part(entry.name) for entry in path.iterdir())
