"""Standard output and errors as they may be: missing, a pipe nobody reads, without Greek."""

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

BROKEN_PIPE = "nobody reads it"


class Output(io.TextIOBase):
    """A stream that never raises: what cannot be written is lost, and the first reason is kept.

    A pipe that nobody reads any more asks a run under way to stop, as Ctrl-C does: who closed it
    has seen enough. Without room on the disk, or without its terminal, a run goes on quietly.

    Args:
        stream: where the text goes.

    Attributes:
        problem: why text was lost; "" if none was.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream, self.problem = stream, ""
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=SPELL)

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a property there too, for the type checker
        """Of the stream; Rich draws its frames in ASCII where it is not UTF-8."""
        return self._stream.encoding or "utf-8"

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Its descriptor."""
        return self._stream.fileno()

    def write(self, text: str) -> int:
        """Write, if it is possible."""
        try:
            self._stream.write(text)
        except OSError as error:
            self._give_up(error)
        return len(text)

    def flush(self) -> None:
        """The same for what is held back."""
        try:
            self._stream.flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """From now on it goes nowhere, also what Python writes when it ends."""
        broken = isinstance(error, BrokenPipeError)
        self.problem = self.problem or (BROKEN_PIPE if broken else str(error.strerror or error))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)
        if broken:
            ask_to_stop(SIGPIPE)


@contextmanager
def standard_streams() -> Iterator[Output]:
    """Within it, standard output and errors take everything; returns the output."""
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
    """Descriptors 0 to 2: one that is closed would be taken by the next file that is opened."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _in_a_line(
    message: Warning | str, category: object, filename: str, lineno: int, line: str | None = None
) -> str:
    """How a warning looks."""
    return f"phieb: warning: {visible(str(message))}\n"
