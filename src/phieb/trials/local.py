"""Trials on this machine, in processes of their own."""

import os
import signal
import sys
import threading
from contextlib import suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from pathlib import Path

from phieb.cores import num_cores
from phieb.signals import exit_code
from phieb.trials.trial import Trial, live

AUTOGROUP = Path("/proc/self/autogroup")  # of Linux, where it is compiled in


class Local:
    """As many trials at a time as there are cores, or as many as asked for."""

    def __init__(self, at_once: int | None = None) -> None:
        self.at_once = at_once or num_cores()

    def start(self, trial: Trial) -> "LocalJob":
        """A process for a trial."""
        return LocalJob(trial)


class LocalJob:
    """A trial in a process on this machine."""

    def __init__(self, trial: Trial) -> None:
        self._log = trial.log
        self._process = get_context("spawn").Process(target=_live, args=(trial,), daemon=True)
        # Ctrl-C is for this process, which will tell the other; one that comes now waits. Starting
        # the process that watches over resources would let it through again: that first.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def outcome(self) -> str | None:
        """None while it goes on, "" when it is done, else what went wrong."""
        code = self._process.exitcode
        if code is None or code == 0:
            return None if code is None else ""
        if code < 0:
            return f"killed: {signal.strsignal(-code) or -code}"
        said = self._log.end().splitlines()
        return said[-1] if said else f"ended with code {code}"

    def stop(self) -> None:
        """Ask it to save and to end."""
        self._process.terminate()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join(10.0)


def _live(trial: Trial) -> None:
    """The life of a trial's process."""
    os.setsid()  # what is sent to the group is for the process that started us: it will tell
    _keep_niceness()
    threading.Thread(target=_die_with_parent, daemon=True).start()
    sys.exit(1 if live(trial) else 0)


def _keep_niceness() -> None:
    """Give the new session's autogroup the nice value of this process.

    Linux schedules each session as a group of its own (autogroup), with a nice value that starts at
    0. The nice value of a process counts only within its group, so `nice phieb sweep` would compete
    with other sessions as if it were not nice at all.
    """
    nice = os.nice(0)
    if nice > 0 and AUTOGROUP.exists():
        with suppress(OSError):
            AUTOGROUP.write_text(str(nice))


def _die_with_parent() -> None:
    """A trial nobody waits for would keep its run locked; its checkpoint is enough."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(exit_code(signal.SIGTERM))
