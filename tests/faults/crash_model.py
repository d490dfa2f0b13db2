"""What a disk may hold after a crash: what was synced, and any part of what was not.

Calls are written down while a run goes on. A file has the content it was last synced with, or any
later one, or a part of it; a folder has the names it was last synced with, and of the changes since
any first few, or any at all, in order.
"""

import os
import random
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Names = dict[str, "File | Folder"]


@dataclass(eq=False)
class File:
    """What is in it, and what surely is."""

    now: bytearray = field(default_factory=bytearray)
    synced: bytes = b""


@dataclass(eq=False)
class Folder:
    """Its names, those that surely are there, and the changes between them."""

    now: Names = field(default_factory=dict)
    synced: Names = field(default_factory=dict)
    since: list[Callable[[Names], object]] = field(default_factory=list)

    def change(self, how: Callable[[Names], object]) -> None:
        how(self.now)
        self.since.append(how)


class RecordingSystem:
    """The module os; what it does in a folder is modelled beside.

    Args:
        root: the folder.
        look: called after each call that changed something, with the model.
    """

    def __init__(self, root: Path, look: Callable[["RecordingSystem"], None]) -> None:
        self.root, self.disk, self.look = root, Folder(), look
        self.completed = list[str]()  # checkpoints whose folder was synced
        self._renamed = list[str]()
        self._open = dict[int, File | Folder]()
        self._at = dict[int, int]()

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def _place(self, path: Any, dir_fd: int | None) -> tuple[Folder | None, str]:
        """The folder that a path is looked up in, and the name there."""
        if dir_fd is not None:
            found = self._open.get(dir_fd)
            return (found if isinstance(found, Folder) else None), str(path)
        here, parts = self.disk, Path(path).absolute().relative_to(self.root.absolute()).parts
        for part in parts[:-1]:
            below = here.now[part]
            assert isinstance(below, Folder)
            here = below
        return here, parts[-1] if parts else ""

    def open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        handle = os.open(path, flags, mode, dir_fd=dir_fd)
        if dir_fd is None and not Path(path).absolute().is_relative_to(self.root.absolute()):
            return handle
        folder, name = self._place(path, dir_fd)
        if folder is None:
            return handle
        if name and name not in folder.now:
            new = Folder() if stat.S_ISDIR(os.fstat(handle).st_mode) else File()
            folder.change(lambda names: names.__setitem__(name, new))
        self._open[handle], self._at[handle] = folder.now[name] if name else folder, 0
        self.look(self)
        return handle

    def close(self, handle: int) -> None:
        self._open.pop(handle, None)
        os.close(handle)

    def mkdir(self, path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        os.mkdir(path, mode, dir_fd=dir_fd)
        folder, name = self._place(path, dir_fd)
        if folder is not None:
            new = Folder()
            folder.change(lambda names: names.__setitem__(name, new))
            self.look(self)

    def write(self, handle: int, data: Any) -> int:
        written = os.write(handle, data)
        found = self._open.get(handle)
        if isinstance(found, File):
            at = self._at[handle]
            found.now[at : at + written] = bytes(data[:written])
            self._at[handle] = at + written
            self.look(self)
        return written

    def lseek(self, handle: int, to: int, how: int) -> int:
        self._at[handle] = to
        return os.lseek(handle, to, how)

    def ftruncate(self, handle: int, size: int) -> None:
        os.ftruncate(handle, size)
        found = self._open.get(handle)
        if isinstance(found, File):
            del found.now[size:]
            self.look(self)

    def fsync(self, handle: int) -> None:
        os.fsync(handle)
        found = self._open.get(handle)
        if isinstance(found, File):
            found.synced = bytes(found.now)
        elif isinstance(found, Folder):
            found.synced, found.since = dict(found.now), []
            self.completed += [name for name in self._renamed if name in found.now]
            self._renamed = [name for name in self._renamed if name not in found.now]
        self.look(self)

    def rename(self, old: Any, new: Any, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        os.rename(old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        folder, _ = self._place(old, src_dir_fd)
        if folder is not None:
            folder.change(lambda names: old in names and names.update({new: names.pop(old)}))
            if str(new).isdigit():
                self._renamed.append(str(new))
            self.look(self)

    def unlink(self, path: Any, *, dir_fd: int) -> None:
        os.unlink(path, dir_fd=dir_fd)
        self._remove(path, dir_fd)

    def rmdir(self, path: Any, *, dir_fd: int) -> None:
        os.rmdir(path, dir_fd=dir_fd)
        self._remove(path, dir_fd)

    def _remove(self, name: Any, dir_fd: int) -> None:
        folder, _ = self._place(name, dir_fd)
        if folder is not None:
            folder.change(lambda names: names.pop(name, None))
            self.look(self)


def after_crash(disk: Folder, to: Path, rng: random.Random) -> None:
    """Make a folder of what a disk may hold."""
    to.mkdir()
    names, how = dict(disk.synced), rng.choice(["none", "all", "first", "any"])
    kept = {
        "none": [],
        "all": disk.since,
        "first": disk.since[: rng.randint(0, len(disk.since))],
        "any": [change for change in disk.since if rng.random() < 0.5],
    }[how]
    for change in kept:
        change(names)
    for name, found in names.items():
        if isinstance(found, Folder):
            after_crash(found, to / name, rng)
        else:
            (to / name).write_bytes(content(found, rng))


def content(file: File, rng: random.Random) -> bytes:
    """What was synced, what was written, or the second in part: cut, or with zeros in a block."""
    now = bytes(file.now)
    at = rng.randint(0, len(now))
    torn = now[:at] if now.startswith(file.synced) and at >= len(file.synced) else file.synced
    zeros = file.synced + bytes(max(len(now) - len(file.synced), 0))
    return rng.choice([file.synced, now, torn, zeros])
