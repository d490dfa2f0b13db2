"""A trial: a run to train and evaluate in a separate process."""

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
    """A run to train and evaluate.

    Attributes:
        config: all settings.
        path: the folder of the run.
        episodes: the number of evaluation episodes; 0 for no evaluation.
    """

    config: Config
    path: Path
    episodes: int

    @property
    def log(self) -> TrialLog:
        """The output of its process; its time stamp is the sign of life."""
        return TrialLog(self.path)

    def is_done(self) -> bool:
        """Whether the run is trained and evaluated.

        Raises:
            RunError: the folder contains a run with other settings.
        """
        if self.is_extended():
            there = f"frames is {Run(self.path).config().frames:,} there"
            raise RunError(_other_run(self.path, there))
        frames, evaluated = self.reached()
        return frames >= self.config.frames and evaluated

    def is_extended(self) -> bool:
        """Whether the run in the folder has been extended beyond the frames of this trial.

        Raises:
            RunError: the folder contains a run with other settings.
        """
        run = Run(self.path)
        if not run.exists():
            return False
        differ = self.config.differences(run.config().__dict__)
        if differ:
            raise RunError(_other_run(self.path, "; ".join(differ)))
        return run.config().frames > self.config.frames

    def reached(self) -> tuple[int, bool]:
        """The progress: frames at the newest checkpoint, and whether that was evaluated."""
        run = Run(self.path)
        return run.saved_frames(), self._is_evaluated(run)

    def _is_evaluated(self, run: Run) -> bool:
        try:
            found = read_evaluation(run)
        except RunError:  # damaged: evaluate again
            return False
        scores = [] if found is None else found.get("behaviour", {"scores": []})["scores"]
        return self.episodes == 0 or (
            found is not None
            and found["frames"] == run.saved_frames()
            and len(scores) >= self.episodes
        )

    def finish(self) -> None:
        """Train or resume, then evaluate; called in the process of the trial."""
        watch = _Beating(self)
        # Signals may come from both the terminal and the scheduler; neither may prevent saving.
        with stopping(at_once=()) as stop:
            run = train(self.config, self.path, watch)
            if stop.signal:
                raise StoppedError("stopped", stop.signal)
            if not self.is_done():
                evaluate(run, self.episodes, workers=1, advance=watch.beat, warn=watch.warn)


def _other_run(path: Path, differences: str) -> str:
    return f"{path}: is a run with other settings: {differences}; choose another folder with --out"


class _Beating(Unwatched):
    """A `Watch` that gives signs of life."""

    def __init__(self, trial: Trial) -> None:
        super().__init__(self._say)
        self._log, self._due, self._decisions = trial.log, 0.0, 0

    def beat(self) -> None:
        """Touch the log, at most once a second."""
        if monotonic() >= self._due:
            with suppress(RunError):
                self._log.touch()
            self._due = monotonic() + 1.0

    def begin(self, training: Training, episodes: list[dict[str, Any]]) -> None:
        """Give a sign of life."""
        self.beat()

    def decision(self) -> None:
        """Give a sign of life every thousand decisions."""
        self._decisions += 1
        if self._decisions % 1_000 == 0:
            self.beat()

    def _say(self, text: str) -> None:
        with suppress(OSError):  # a full disk does not stop the run
            print(text, flush=True)


def live(trial: Trial) -> str:
    """Run a trial in its process, with output to its log.

    Returns:
        "" if it is done, else what went wrong, which is also the last line of the log.
    """
    trial.log.take_output()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whatever the locale
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
