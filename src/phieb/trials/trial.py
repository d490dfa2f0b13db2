"""One trial: a run to train and to evaluate, in a process of its own."""

import io
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from phieb.evaluation.evaluate import evaluate
from phieb.evaluation.record import read_evaluation
from phieb.signals import StoppedError, stopping
from phieb.training.config import Config
from phieb.training.loop import Unwatched, train
from phieb.training.run_folder import Run, RunError
from phieb.training.training import Training
from phieb.trials.trial_log import TrialLog


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
    def log(self) -> TrialLog:
        """What its process says; touched as a sign of life."""
        return TrialLog(self.path)

    def is_done(self) -> bool:
        """Whether nothing is left to do.

        Raises:
            RunError: there is another run in its folder.
        """
        if self.is_extended():
            there = f"frames is {Run(self.path).config().frames:,} there"
            raise RunError(_other_run(self.path, there))
        frames, evaluated = self.reached()
        return frames >= self.config.frames and evaluated

    def is_extended(self) -> bool:
        """Whether the run in its folder has been asked for more frames since.

        Raises:
            RunError: there is another run in its folder, or a link in its place.
        """
        if self.path.is_symlink():  # the folder of all trials may have been received
            raise RunError(f"{self.path}: is a symbolic link, which is not followed")
        run = Run(self.path)
        if not run.exists():
            return False
        differ = self.config.differences(run.config().__dict__)
        if differ:
            raise RunError(_other_run(self.path, "; ".join(differ)))
        return run.config().frames > self.config.frames

    def reached(self) -> tuple[int, bool]:
        """How far it is: frames that are saved, and whether they are evaluated."""
        run = Run(self.path)
        return run.saved_frames(), self._is_evaluated(run)

    def _is_evaluated(self, run: Run) -> bool:
        try:
            found = read_evaluation(run)
        except RunError:  # damaged: it is done again
            return False
        scores = [] if found is None else found.get("behaviour", {"scores": []})["scores"]
        return self.episodes == 0 or (
            found is not None
            and found["frames"] == run.saved_frames()
            and len(scores) >= self.episodes
        )

    def finish(self) -> None:
        """Train, or go on with it, and evaluate; in the process of the trial."""
        watch = _Beating(self)
        # It may be told twice, by who started it and by who stops them all: it saves all the same.
        with stopping(at_once=()) as stop:
            run = train(self.config, self.path, watch)
            if stop.signal:
                raise StoppedError("stopped", stop.signal)
            if not self.is_done():
                evaluate(run, self.episodes, workers=1, advance=watch.beat, warn=watch.warn)


def _other_run(path: Path, differences: str) -> str:
    return f"{path}: is a run with other settings: {differences}; choose another folder with --out"


class _Beating(Unwatched):
    """Gives signs of life."""

    def __init__(self, trial: Trial) -> None:
        super().__init__(self._say)
        self._log, self._due, self._decisions = trial.log, 0.0, 0

    def beat(self) -> None:
        """Still there."""
        if monotonic() >= self._due:
            with suppress(RunError):
                self._log.touch()
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


def live(trial: Trial) -> str:
    """The life of a trial's process; what it says is in its log.

    Returns:
        "" when it is done, else what went wrong: the last line of the log.
    """
    trial.log.take_output()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whatever the language of the machine
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        trial.finish()
    except StoppedError:
        problem = "stopped"
    except RunError as error:
        problem = str(error)
    except Exception as error:
        traceback.print_exc()
        problem = traceback.format_exception_only(error)[-1].strip()
    else:
        return ""
    print(problem, flush=True)
    return problem
