"""Runs many trials, several at a time, each in its own process and run folder.

A trial that raises, is killed or hangs is retried from its checkpoint, without effect on the
others. If the same trials are started again, finished ones are skipped and the others resumed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from signal import SIGINT
from time import monotonic, sleep
from typing import Literal, Protocol

from phieb.signals import StoppedError, stopping
from phieb.trials.trial import Trial

LOOKED_AT_EVERY = 0.5  # seconds
PATIENCE = 600.0  # seconds without a sign of life after which a trial counts as hanging
ATTEMPTS = 3  # consecutive attempts without progress after which a trial has failed
TO_SAVE = 120.0  # seconds that trials have to save when they are stopped


class Job(Protocol):
    """An attempt of a trial, run by a backend."""

    def outcome(self) -> str | None:
        """None while it runs, "" if the trial is done, else what went wrong."""

    def stop(self) -> None:
        """Ask it to save and end; `outcome` tells when it has."""

    def kill(self) -> None:
        """End it at once."""


class Backend(Protocol):
    """Where trials run."""

    @property
    def at_once(self) -> int:
        """The number of trials that can run at this time."""

    def start(self, trial: Trial) -> Job:
        """Start a process for a trial."""


@dataclass
class Progress:
    """State of one trial."""

    trial: Trial
    state: Literal["waiting", "running", "done", "failed"] = "waiting"
    attempts: int = 0
    in_vain: int = 0  # consecutive attempts without progress, up to the last
    reached: tuple[int, bool] = (0, False)  # `Trial.reached` before the last attempt
    due: float = 0.0  # time of the next attempt
    problem: str = ""
    job: Job | None = field(default=None, repr=False)
    touched: float = 0.0  # time of the last sign of life, by the clock of the trial's machine
    beat: float = 0.0  # when it was noticed, by the clock of this one


def run_all(
    trials: Sequence[Trial],
    backend: Backend,
    look: Callable[[list[Progress]], None] = lambda all_: None,
    patience: float = PATIENCE,
) -> list[Progress]:
    """Run all trials that are not done.

    Args:
        trials: the trials, each with its own folder.
        backend: where they run, and how many at a time.
        look: called twice a second with the state of all trials.
        patience: seconds without a sign of life after which a trial is killed and retried.

    Returns:
        The final state of each trial: done or failed.

    Raises:
        RunError: a folder contains a run with other settings.
        StoppedError: Ctrl-C, SIGTERM or SIGHUP; all trials are saved and can be resumed.
    """
    if len({trial.path for trial in trials}) < len(trials):
        raise ValueError("two trials must not have the same folder")
    everything = [Progress(trial, "done" if trial.is_done() else "waiting") for trial in trials]
    # SIGTERM may come twice from a job system; only a second Ctrl-C ends the process at once.
    with stopping(at_once=(SIGINT,)) as stop:
        try:
            while not stop.signal:
                running = [one for one in everything if one.state == "running"]
                waiting = [one for one in everything if one.state == "waiting"]
                if not waiting and not running:
                    return everything
                waiting.sort(key=lambda one: one.due)  # those never tried first
                for one in waiting[: max(backend.at_once - len(running), 0)]:
                    if one.due <= monotonic():
                        _start(one, backend)
                for one in running:
                    _follow_up(one, patience)
                look(everything)
                sleep(LOOKED_AT_EVERY)
        finally:
            _stop_all(everything)
    raise StoppedError("stopped; run the same command again to resume", stop.signal)


def _start(one: Progress, backend: Backend) -> None:
    one.trial.log.begin()
    one.reached = one.trial.reached()
    one.job, one.state = backend.start(one.trial), "running"
    one.attempts += 1
    one.beat = monotonic()


def _follow_up(one: Progress, patience: float) -> None:
    """Update the state of a running trial."""
    assert one.job is not None
    outcome = one.job.outcome()
    if outcome is None:
        if _seconds_silent(one) > patience:
            one.job.kill()
            outcome = f"no sign of life for {patience:,.0f} seconds"
        else:
            return
    one.job = None
    if outcome == "":
        one.state, one.problem = "done", ""
    else:
        one.in_vain = 0 if one.trial.reached() > one.reached else one.in_vain + 1
        one.state = "failed" if one.in_vain >= ATTEMPTS else "waiting"
        one.due = monotonic() + 2.0**one.in_vain
        one.problem = outcome


def _seconds_silent(one: Progress) -> float:
    """Seconds since the last sign of life was noticed."""
    try:
        touched = one.trial.log.touched()
    except OSError:
        touched = one.touched
    if touched != one.touched:
        one.touched, one.beat = touched, monotonic()
    return monotonic() - one.beat


def _stop_all(everything: list[Progress]) -> None:
    """Ask all running trials to save and end; kill those that have not after `TO_SAVE` seconds."""
    jobs = [one.job for one in everything if one.job is not None]
    for job in jobs:
        job.stop()
    until = monotonic() + TO_SAVE
    while any(job.outcome() is None for job in jobs) and monotonic() < until:
        sleep(0.1)
    for job in jobs:
        if job.outcome() is None:
            job.kill()
