"""What asks a run to stop: Ctrl-C, SIGTERM, a terminal that is closed, output nobody reads.

The first saves; a second Ctrl-C or SIGTERM ends the process at once.
"""

import os
import signal
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import FrameType

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# A terminal that is closed sends SIGHUP, and often its shell does too: that is not impatience.
IMPATIENT = (signal.SIGINT, signal.SIGTERM)


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
def stopping(at_once: Collection[int] = IMPATIENT) -> Iterator[Stop]:
    """Within it, signals ask to stop instead of stopping; only the main thread is sent any.

    One within another is the outer one. SIGHUP stays ignored where it is, as under `nohup`.

    Args:
        at_once: signals that end the process if it was asked to stop before.
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
    """Ask whatever is `stopping` to stop, as this signal would; False if nothing is."""
    active = _active()
    if active is not None:
        active.ask(number)
    return active is not None


def _active() -> Stop | None:
    """What the handler of SIGTERM belongs to."""
    found = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return found if isinstance(found, Stop) else None


def exit_code(number: int) -> int:
    """What a shell reports of a process that a signal ended: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + number
