"""Standard output and standard error that may be missing, closed pipes, or lack Greek letters."""

import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGPIPE
from typing import TextIO

from phieb.plain_text import SPELL, visible
from phieb.signals import ask_to_stop

BROKEN_PIPE = "the pipe is closed"


class Output(io.TextIOBase):
    """A stream that never raises: text that cannot be written is discarded.

    A closed pipe stops a run in progress, as Ctrl-C does. If the disk is full or the terminal is
    gone, the run continues without output.

    Args:
        stream: the stream to write to.

    Attributes:
        problem: the first reason why text was discarded; "" if none was.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream, self.problem = stream, ""
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=SPELL)

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a property there too, for the type checker
        """The encoding of the stream; if it is not UTF-8, Rich draws tables in ASCII."""
        return self._stream.encoding or "utf-8"

    def isatty(self) -> bool:
        """Whether the stream is a terminal. It may be closed: colorama asks at exit."""
        try:
            return self._stream.isatty()
        except ValueError:
            return False

    def fileno(self) -> int:
        """The file descriptor of the stream."""
        return self._stream.fileno()

    def write(self, text: str) -> int:
        """Write text, if possible."""
        try:
            self._stream.write(text)
        except OSError as error:
            self._give_up(error)
        return len(text)

    def flush(self) -> None:
        """Flush the stream, if possible."""
        try:
            self._stream.flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Redirect the stream to /dev/null, including what Python writes at exit."""
        broken = isinstance(error, BrokenPipeError)
        self.problem = self.problem or (BROKEN_PIPE if broken else str(error.strerror or error))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)
        if broken:
            ask_to_stop(SIGPIPE)


@contextmanager
def standard_streams() -> Iterator[Output]:
    """A context in which standard output and standard error are `Output`s; returns the former."""
    before = sys.stdout, sys.stderr, warnings.formatwarning
    _open_missing()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        output = Output(sys.stdout or nowhere)
        sys.stdout, sys.stderr = output, Output(sys.stderr or nowhere)
        warnings.formatwarning = _in_a_line
        try:
            yield output
        finally:
            sys.stdout, sys.stderr, warnings.formatwarning = before


def _open_missing() -> None:
    """Open closed descriptors among 0 to 2, which the next opened file would get otherwise."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _in_a_line(
    message: Warning | str, category: object, filename: str, lineno: int, line: str | None = None
) -> str:
    """Formats a warning as one line."""
    return f"phieb: warning: {visible(str(message))}\n"
