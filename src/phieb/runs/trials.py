"""Many trials, some at a time: each in a process of its own and a run folder of its own.

A trial that raises, is killed or hangs is tried again from its checkpoint, and takes no other with
it. Whoever starts the same trials again finds finished ones done, and goes on with the others.
"""

import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Literal, Protocol

from phieb.runs.config import Config
from phieb.runs.evaluate import evaluate, read_evaluation
from phieb.runs.folder import Run, RunError
from phieb.runs.stopping import StoppedError, stopping
from phieb.runs.train import Unwatched, train
from phieb.runs.training import Training

LOOKED_AT_EVERY = 0.5  # seconds
PATIENCE = 600.0  # seconds without a sign of life, after which a trial hangs
ATTEMPTS = 3
TO_SAVE = 120.0  # seconds that trials have to save when all are stopped


@dataclass(frozen=True)
class Trial:
    """One run to train and to evaluate.

    Attributes:
        config: all settings.
        path: its folder.
        episodes: of evaluation; 0 for none.
    """

    config: Config
    path: Path
    episodes: int

    @property
    def log(self) -> Path:
        """What its process says; touched as a sign of life."""
        return self.path.parent / "logs" / f"{self.path.name}.txt"

    def is_done(self) -> bool:
        """Whether nothing is left to do.

        Raises:
            RunError: there is another run in its folder.
        """
        run = Run(self.path)
        if not run.exists():
            return False
        there = run.config()
        differ = self.config.differences(there.__dict__)
        if differ or there.frames > self.config.frames:
            differ += [f"frames is {there.frames:,} there"] * (there.frames > self.config.frames)
            raise RunError(f"{self.path}: is a run with other settings: {'; '.join(differ)}")
        return run.saved_frames() >= self.config.frames and self._is_evaluated(run)

    def _is_evaluated(self, run: Run) -> bool:
        try:
            found = read_evaluation(run)
        except RunError:  # damaged: it is done again
            return False
        scores = [] if found is None else found.get("behaviour", {"scores": []})["scores"]
        return self.episodes == 0 or (
            found is not None
            and found["frames"] == run.saved_frames()
            and len(scores) == self.episodes
        )

    def finish(self) -> None:
        """Train, or go on with it, and evaluate; in the process of the trial."""
        watch = _Beating(self)
        with stopping() as stop:  # also between the two, and where only one of them is left to do
            run = train(self.config, self.path, watch)
            if stop.signal:
                raise StoppedError("stopped", stop.signal)
            if not self.is_done():
                evaluate(run, self.episodes, workers=1, advance=watch.beat, warn=watch.warn)


class _Beating(Unwatched):
    """Gives signs of life."""

    def __init__(self, trial: Trial) -> None:
        super().__init__(self._say)
        self._file, self._due, self._decisions = trial.log, 0.0, 0

    def beat(self) -> None:
        """Still there."""
        if monotonic() >= self._due:
            with suppress(OSError):
                os.utime(self._file)
            self._due = monotonic() + 1.0

    def begin(self, training: Training, episodes: list[dict[str, Any]]) -> None:
        """The run starts or goes on."""
        self.beat()

    def decision(self) -> None:
        """A decision was made."""
        self._decisions += 1
        if self._decisions % 1_000 == 0:
            self.beat()

    def _say(self, text: str) -> None:
        with suppress(OSError):  # the disk is full: the run goes on all the same
            print(text, flush=True)


class Job(Protocol):
    """A trial in the hands of a backend."""

    def outcome(self) -> str | None:
        """None while it goes on, "" when it is done, else what went wrong."""

    def stop(self) -> None:
        """Ask it to save and to end; `outcome` tells when it has."""

    def kill(self) -> None:
        """End it at once."""


class Backend(Protocol):
    """Where trials run."""

    at_once: int

    def start(self, trial: Trial) -> Job:
        """A process for a trial."""


@dataclass
class Progress:
    """How it is with a trial."""

    trial: Trial
    state: Literal["waiting", "running", "done", "failed"] = "waiting"
    attempts: int = 0
    problem: str = ""
    job: Job | None = field(default=None, repr=False)
    touched: float = 0.0  # the time of its last sign of life, by the clock of its machine
    beat: float = 0.0  # when that was seen here


def run_all(
    trials: Sequence[Trial],
    backend: Backend,
    look: Callable[[list[Progress]], None] = lambda all_: None,
    patience: float = PATIENCE,
) -> list[Progress]:
    """Run all trials that are not done.

    Args:
        trials: with folders of their own.
        backend: where, and how many at a time.
        look: called twice a second.
        patience: seconds without a sign of life after which a trial is killed and tried again.

    Returns:
        How each trial ended: done or failed.

    Raises:
        RunError: a folder has a run with other settings.
        StoppedError: Ctrl-C or SIGTERM; all trials are saved and can be gone on with.
    """
    if len({trial.path for trial in trials}) < len(trials):
        raise ValueError("two trials must not have the same folder")
    everything = [Progress(trial, "done" if trial.is_done() else "waiting") for trial in trials]
    waiting = deque(one for one in everything if one.state == "waiting")
    with stopping() as stop:
        try:
            while not stop.signal:
                running = [one for one in everything if one.state == "running"]
                if not waiting and not running:
                    return everything
                for _ in range(min(backend.at_once - len(running), len(waiting))):
                    _start(waiting.popleft(), backend)
                for one in running:
                    _follow_up(one, patience)
                    if one.state == "waiting":
                        waiting.append(one)
                look(everything)
                sleep(LOOKED_AT_EVERY)
        finally:
            _stop_all(everything)
    raise StoppedError("stopped; the same command goes on from here", stop.signal)


def _start(one: Progress, backend: Backend) -> None:
    one.trial.log.parent.mkdir(parents=True, exist_ok=True)
    one.trial.log.touch()
    one.job, one.state = backend.start(one.trial), "running"
    one.attempts += 1
    one.beat = monotonic()


def _follow_up(one: Progress, patience: float) -> None:
    """What has become of a trial that runs."""
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
        one.state = "failed" if one.attempts >= ATTEMPTS else "waiting"
        one.problem = outcome


def _seconds_silent(one: Progress) -> float:
    """Since its last sign of life."""
    try:
        touched = one.trial.log.stat().st_mtime
    except OSError:
        touched = one.touched
    if touched != one.touched:
        one.touched, one.beat = touched, monotonic()
    return monotonic() - one.beat


def _stop_all(everything: list[Progress]) -> None:
    """Ask all to save and to end, and wait until they have; not for ever."""
    jobs = [one.job for one in everything if one.job is not None]
    for job in jobs:
        job.stop()
    until = monotonic() + TO_SAVE
    while any(job.outcome() is None for job in jobs) and monotonic() < until:
        sleep(0.1)
    for job in jobs:
        if job.outcome() is None:
            job.kill()
