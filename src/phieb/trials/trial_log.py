"""The output of a trial's process, in the folder logs; the file's time stamp is its sign of life.

The folder of the trials may come from others, so links in it are not followed.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phieb.files import reading, writing
from phieb.files.errors import DamagedError, RunError

_TAIL = 1 << 16  # bytes at the end of a log that contain the error message


class TrialLog:
    """The log of a trial.

    Args:
        run: the folder of the trial's run.
    """

    def __init__(self, run: Path) -> None:
        self.path = run.parent / "logs" / f"{run.name}.txt"
        self._within = run.parent

    def begin(self) -> None:
        """Create the file if it does not exist.

        Raises:
            RunError: it cannot be written, or is not a regular file.
        """
        try:
            writing.make_folder(self._within)
            writing.make_folder(self.path.parent, within=self._within)
        except OSError as error:
            raise _refused(error) from None
        self.touch()

    def touch(self) -> None:
        """Give a sign of life: update the time stamp."""
        with self._opened() as handle:
            os.utime(handle)

    def say(self, text: str) -> None:
        """Append a line."""
        with self._opened() as handle:
            writing.append(handle, f"{text}\n".encode())

    def take_output(self) -> None:
        """Redirect standard output and standard error of this process to the file."""
        with self._opened() as handle:
            os.dup2(handle, 1)
            os.dup2(handle, 2)

    def touched(self) -> float:
        """The time of the last sign of life, by the clock of the machine that gave it.

        Raises:
            OSError: there is no file.
        """
        return os.lstat(self.path).st_mtime

    def end(self) -> str:
        """The last lines; "" if the file cannot be read."""
        try:
            data, _ = reading.tail(self.path, _TAIL, within=self._within)
        except DamagedError:
            return ""
        return data.decode(errors="replace").strip()

    @contextmanager
    def _opened(self) -> Iterator[int]:
        try:
            handle = writing.open_own(self.path, within=self._within, at_end=True)
        except OSError as error:
            raise _refused(error) from None
        try:
            yield handle
        except OSError as error:
            raise RunError(f"{self.path}: {error.strerror}") from None
        finally:
            os.close(handle)


def _refused(error: OSError) -> RunError:
    return RunError(f"{error.filename}: {error.strerror}")
