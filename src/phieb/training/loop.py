"""The training loop, with logging, checkpoints and resuming."""

import os
import shlex
import warnings
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import current_process
from time import monotonic
from typing import Any, Protocol

from phieb.arguments import NotFiniteError
from phieb.learning import DivergedError
from phieb.signals import Stop, StoppedError, stopping
from phieb.training import checkpoint
from phieb.training.checkpoint import Facts
from phieb.training.config import Config, versions
from phieb.training.episode_log import EpisodeLog
from phieb.training.given import Given
from phieb.training.memory import memory_warning
from phieb.training.run_folder import Run, RunError
from phieb.training.training import Training
from phieb.worlds.gymnasium_world import SeedingWarning


class Watch(Protocol):
    """Callbacks of a run, for progress displays and additional logs."""

    def begin(self, training: Training, episodes: list[dict[str, Any]]) -> None:
        """Called when training starts or is resumed, with the log lines of earlier episodes."""

    def decision(self) -> None:
        """Called after every decision."""

    def episode(self, line: dict[str, Any]) -> None:
        """Called after every episode, with its line of the log."""

    def warn(self, text: str) -> None:
        """Called with a problem that does not stop the run."""


class Unwatched:
    """A `Watch` that shows nothing; warnings are passed to `say`."""

    def __init__(self, say: Callable[[str], None] = print) -> None:
        self.warn = say

    def begin(self, training: Training, episodes: list[dict[str, Any]]) -> None:
        """Do nothing."""

    def decision(self) -> None:
        """Do nothing."""

    def episode(self, line: dict[str, Any]) -> None:
        """Do nothing."""


def train(
    config: Config,
    out: str | os.PathLike[str],
    watch: Watch | None = None,
    *,
    env: Any = None,
    features: Any = None,
    bonus: Any = None,
    agent: Any = None,
) -> Run:
    """Train an agent, or resume its run, until it has seen `config.frames` frames.

    `env`, `features`, `bonus` and `agent` replace the parts that the settings name. Each is an
    object, or a class or function, which is called with the values of
    `phieb.training.parts.Offered` that it has parameters for. A class or function that can be
    imported is recorded by its name, `package.module:Name`. For any other part the settings say
    "given", and it must be passed again to resume the run.

    Args:
        config: all settings.
        out: the folder of the run. A run that exists is resumed; its settings must be the same
            except for the number of frames.
        watch: receives the progress of the run; by default warnings are printed.
        env: an environment with discrete actions, or a function of `config.env_args` that returns
            one.
        features: a feature map.
        bonus: a `phieb.novelty.Bonus`.
        agent: a `phieb.learning.TrainableAgent`.

    Returns:
        The run: `episodes()` is its log.

    Raises:
        ValueError, TypeError: a part is unsuitable; nothing was written.
        RunError: the folder cannot be used, or the run cannot continue; the message is one line.
        StoppedError: Ctrl-C, SIGTERM or SIGHUP; the run can be resumed.
    """
    _check_not_importing()
    run, watch, given = Run(out), watch or Unwatched(), Given(env, features, bonus, agent)
    config = given.named(config)
    training = None if run.exists() else Training(config, given)  # invalid parts raise here
    if training is None:
        differ = config.differences(run.config().__dict__)
        if differ:
            there = f"is a run with other settings: {'; '.join(differ)}"
            raise RunError(f"{run.path}: {there}; choose another folder with --out")
        if config.frames < min(run.config().frames, run.saved_frames()):
            said = f"has {run.saved_frames():,} frames already; a run can only be extended"
            raise RunError(f"{run.path}: {said}")
    else:
        run.create(config)
    with run.locked(), stopping() as stop:
        training = training or _made_again(run, config, given)
        log = EpisodeLog(run.log_file, _restore(run, training, watch))
        try:
            _live(run, training, log, watch, stop)
        except DivergedError as error:
            where = f"diverged at frame {training.frames:,}: {error}"
            raise RunError(f"{run.path}: {where}; a smaller alpha may help") from None
        except NotFiniteError as error:
            step = f"step {training.world.frames} of episode {training.episode}"
            raise RunError(f"{run.path}: {config.game}, {step}: {error}") from None
        except OSError as error:
            raise RunError(f"{error.filename or run.path}: {error.strerror or error}") from None
        finally:
            log.close()
    return run


def resume(
    out: str | os.PathLike[str],
    watch: Watch | None = None,
    *,
    frames: int | None = None,
    **given: Any,
) -> Run:
    """Resume a run with its own settings, or up to another number of frames.

    Args:
        out: the folder of the run.
        watch: receives the progress of the run; by default warnings are printed.
        frames: the number of frames to train up to; by default that of the settings.
        given: `env`, `features`, `bonus` and `agent`, if they were passed to `train`.
    """
    config = Run(out).config()
    config = config if frames is None else replace(config, frames=frames)
    return train(config, out, watch, **given)


def _check_not_importing() -> None:
    """Processes that evaluate import the program that started them: it must not train again."""
    if getattr(current_process(), "_inheriting", False):
        raise RunError(
            'training when the program is imported: put it under if __name__ == "__main__":'
        )


def _made_again(run: Run, config: Config, given: Given) -> Training:
    """A `Training` with the settings of an existing run."""
    try:
        return Training(config, given)
    except (TypeError, ValueError) as error:
        raise RunError(f"{run.path}: {error}") from None


def _live(run: Run, training: Training, log: EpisodeLog, watch: Watch, stop: Stop) -> None:
    """The training loop; each decision is one pass of Algorithm 1 (`Training.step`)."""
    config, episodes = training.config, run.logged()
    if training.frames >= config.frames:
        if stop.signal:
            raise StoppedError("stopped; nothing was left to do", stop.signal)
        return
    run.write_config(config)  # the number of frames may have changed
    watch.begin(training, episodes)
    if training.episode == 0:
        training.start_episode()
        _save(run, training, log)
    too_large = memory_warning(training)
    if too_large is not None:
        watch.warn(too_large)
    since, began = training.frames, monotonic()
    due = _next_due(training)
    # If the world can only be saved between episodes, the last episode is played to its end.
    while not ((training.frames >= config.frames or stop.signal) and training.world.can_be_saved):
        if training.step():
            speed = (training.frames - since) / (monotonic() - began)
            line = {**training.line(), "frames_per_second": round(speed, 1)}
            log.append(line)
            watch.episode(line)
            training.start_episode()
            since, began = training.frames, monotonic()
        watch.decision()
        if training.frames >= due and training.world.can_be_saved:
            _save_or_warn(run, training, log, watch)
            due = _next_due(training)
    _save(run, training, log)
    if stop.signal:
        again = f"phieb resume {shlex.quote(str(run.path))}"
        raise StoppedError(f"stopped; resume with: {again}", stop.signal)


def _next_due(training: Training) -> int:
    every = training.config.checkpoint_every
    return (training.frames // every + 1) * every


def _save(run: Run, training: Training, log: EpisodeLog) -> None:
    if not training.learner.agent.is_sound():
        raise DivergedError("some weights are not finite")
    facts = Facts(training.frames, training.config.__dict__, versions(), log.facts())
    checkpoint.write(run.checkpoints, training.state(), facts)


def _save_or_warn(run: Run, training: Training, log: EpisodeLog, watch: Watch) -> None:
    """Save a checkpoint; if that fails, warn and continue, unless the folder itself is gone."""
    try:
        _save(run, training, log)
    except OSError as error:
        if not run.config_file.exists():
            raise
        problem = f"{error.filename or run.checkpoints}: {error.strerror or error}"
        watch.warn(f"no checkpoint at frame {training.frames:,}: {problem}; the run continues")


def _restore(run: Run, training: Training, watch: Watch) -> int:
    """Restore the newest checkpoint; returns the size of the log, in bytes, at that time."""
    newest = run.newest(watch.warn)
    if newest is None:
        if run.episodes():  # a checkpoint is saved before the first episode
            raise RunError(f"{run.path}: the checkpoints are missing; the run cannot be resumed")
        return 0
    parts, facts = newest
    run.check_same(training.config, facts)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", SeedingWarning)
            training.restore(parts)
        for warning in caught:
            watch.warn(str(warning.message))
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"{run.checkpoints}: {facts['frames']}: {error}") from None
    return int(facts["log"]["bytes"])
