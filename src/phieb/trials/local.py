"""Runs trials on this machine, each in its own process."""

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

AUTOGROUP = Path("/proc/self/autogroup")  # Linux only, and not in every kernel


class Local:
    """Runs trials on this machine, by default as many at a time as there are cores."""

    def __init__(self, at_once: int | None = None) -> None:
        self.at_once = at_once or num_cores()

    def start(self, trial: Trial) -> "LocalJob":
        """Start a process for a trial."""
        return LocalJob(trial)


class LocalJob:
    """A trial that runs in a process on this machine."""

    def __init__(self, trial: Trial) -> None:
        self._log = trial.log
        self._process = get_context("spawn").Process(target=_live, args=(trial,), daemon=True)
        # Ctrl-C is blocked until the new process has its own session: this process forwards it.
        # The resource tracker is started first, because starting it unblocks SIGINT.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def outcome(self) -> str | None:
        """None while it runs, "" if the trial is done, else what went wrong."""
        code = self._process.exitcode
        if code is None or code == 0:
            return None if code is None else ""
        if code < 0:
            return f"killed: {signal.strsignal(-code) or -code}"
        said = self._log.end().splitlines()
        return said[-1] if said else f"ended with code {code}"

    def stop(self) -> None:
        """Ask it to save and end."""
        self._process.terminate()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join(10.0)


def _live(trial: Trial) -> None:
    """The main function of a trial's process."""
    os.setsid()  # signals of the terminal go to the parent process only, which forwards them
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
    """End this process when its parent dies: an orphan would keep its run locked."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(exit_code(signal.SIGTERM))
