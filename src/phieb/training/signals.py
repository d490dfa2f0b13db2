"""Ctrl-C and SIGTERM: the first asks a run to stop, the second ends it at once."""

import os
import signal
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import FrameType

NUMBERS = (signal.SIGINT, signal.SIGTERM)


class StoppedError(Exception):
    """A signal has stopped what was going on; the message says what to do about it."""

    def __init__(self, message: str, signal: int) -> None:
        super().__init__(message)
        self.signal = signal


class Stop:
    """Whether a run was asked to stop, and by which signal.

    Args:
        at_once: signals that end the process if it was asked to stop before.
    """

    def __init__(self, at_once: Collection[int]) -> None:
        self.signal, self._at_once = 0, at_once

    def ask(self, number: int, _: FrameType | None = None) -> None:
        """The handler."""
        if self.signal and number in self._at_once:
            os._exit(exit_code(number))
        self.signal = self.signal or number


@contextmanager
def stopping(at_once: Collection[int] = NUMBERS) -> Iterator[Stop]:
    """Within it, signals ask to stop instead of stopping; only the main thread is sent any.

    One within another is the outer one.

    Args:
        at_once: signals that end the process if it was asked to stop before.
    """
    outer = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    if threading.current_thread() is not threading.main_thread():
        yield Stop(at_once)
    elif isinstance(outer, Stop):
        yield outer
    else:
        stop = Stop(at_once)
        before = [signal.signal(number, stop.ask) for number in NUMBERS]
        try:
            yield stop
        finally:
            for number, handler in zip(NUMBERS, before, strict=True):
                signal.signal(number, handler)


def exit_code(number: int) -> int:
    """What a shell reports of a process that a signal ended: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + number
