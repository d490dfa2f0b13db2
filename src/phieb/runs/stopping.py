"""Ctrl-C and SIGTERM: the first asks a run to stop, the second ends it at once."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StoppedError(Exception):
    """A signal has stopped what was going on; the message says what to do about it."""

    def __init__(self, message: str, signal: int) -> None:
        super().__init__(message)
        self.signal = signal


class Stop:
    """Whether a run was asked to stop, and by which signal."""

    signal: int = 0

    def ask(self, number: int, _: FrameType | None = None) -> None:
        """The handler."""
        if self.signal:
            os._exit(exit_code(number))
        self.signal = number


@contextmanager
def stopping() -> Iterator[Stop]:
    """Within it, signals ask to stop instead of stopping; only the main thread is sent any."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, stop.ask) for number in numbers]
    try:
        yield stop
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def exit_code(number: int) -> int:
    """What a shell reports of a process that a signal ended: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + number
