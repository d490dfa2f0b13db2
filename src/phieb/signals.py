"""Stopping a run by Ctrl-C, SIGTERM, a closed terminal, or output that is no longer read.

The first signal saves the run and stops; a second Ctrl-C or SIGTERM ends the process at once.
"""

import os
import signal
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import FrameType

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Not SIGHUP: when a terminal closes, both the terminal and its shell may send one.
IMPATIENT = (signal.SIGINT, signal.SIGTERM)


class StoppedError(Exception):
    """A signal has stopped a run or a command; the message says how to continue."""

    def __init__(self, message: str, signal: int) -> None:
        super().__init__(message)
        self.signal = signal


class Stop:
    """The first signal received, 0 if none.

    Args:
        at_once: signals that end the process if they are not the first.
    """

    def __init__(self, at_once: Collection[int]) -> None:
        self.signal, self._at_once = 0, at_once

    def ask(self, number: int, _: FrameType | None = None) -> None:
        """The signal handler."""
        if self.signal and number in self._at_once:
            os._exit(exit_code(number))
        self.signal = self.signal or number


@contextmanager
def stopping(at_once: Collection[int] = IMPATIENT) -> Iterator[Stop]:
    """A context in which signals are recorded in a `Stop` instead of ending the process.

    A nested context returns the outer `Stop`. In threads other than the main one nothing is
    recorded. SIGHUP stays ignored if it was, as under `nohup`.

    Args:
        at_once: signals that end the process if they are not the first.
    """
    outer = _active()
    if threading.current_thread() is not threading.main_thread():
        yield Stop(at_once)
    elif outer is not None:
        yield outer
    else:
        stop = Stop(at_once)
        ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        numbers = [number for number in NUMBERS if not (ignored and number == signal.SIGHUP)]
        before = [signal.signal(number, stop.ask) for number in numbers]
        try:
            yield stop
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


def ask_to_stop(number: int) -> bool:
    """Act as if this signal had been received; False outside a `stopping` context."""
    active = _active()
    if active is not None:
        active.ask(number)
    return active is not None


def _active() -> Stop | None:
    """The `Stop` of the current context, found by the handler of SIGTERM."""
    found = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return found if isinstance(found, Stop) else None


def exit_code(number: int) -> int:
    """The exit code of a process ended by a signal: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + number
