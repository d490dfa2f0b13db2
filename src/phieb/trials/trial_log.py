"""What the process of a trial says, in a file beside its run; touched as a sign of life.

The folder of the trials may have been received from others: no link in it is followed.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phieb.files import reading, writing
from phieb.files.errors import DamagedError, RunError

_TAIL = 1 << 16  # bytes: a line that says what went wrong is in the last ones


class TrialLog:
    """The log of a trial.

    Args:
        run: the folder of its run.
    """

    def __init__(self, run: Path) -> None:
        self.path = run.parent / "logs" / f"{run.name}.txt"
        self._within = run.parent

    def begin(self) -> None:
        """Make it, if it is not there.

        Raises:
            RunError: it cannot be written to, or something else is in its place.
        """
        try:
            writing.make_folder(self._within)
            writing.make_folder(self.path.parent, within=self._within)
        except OSError as error:
            raise _refused(error) from None
        self.touch()

    def touch(self) -> None:
        """A sign of life; it changes nothing that is written."""
        with self._opened() as handle:
            os.utime(handle)

    def say(self, text: str) -> None:
        """One more line."""
        with self._opened() as handle:
            writing.append(handle, f"{text}\n".encode())

    def take_output(self) -> None:
        """From now on, standard output and errors of this process go there."""
        with self._opened() as handle:
            os.dup2(handle, 1)
            os.dup2(handle, 2)

    def touched(self) -> float:
        """The time of its last sign of life, by the clock of its machine.

        Raises:
            OSError: there is none.
        """
        return os.lstat(self.path).st_mtime

    def end(self) -> str:
        """The last lines; "" where nothing can be read."""
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
