"""Runs trials on a Ray cluster, each as a task on any node with a free core."""

import atexit
import dataclasses
import logging
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from phieb.training.config import from_json, versions
from phieb.training.run_folder import RunError
from phieb.trials.pulse import Pulse, SilentError, greet
from phieb.trials.trial import Trial, live

# Environment variables that Ray reads when imported: no irrelevant warning, short time-outs.
SETTINGS = {"RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_NUM_REDIS_GET_RETRIES": "3"}


class Cluster:
    """Runs trials on a Ray cluster.

    Args:
        address: "auto" for the cluster that this machine belongs to, or HOST:PORT.
        at_once: the number of trials at a time; by default one per CPU of the cluster.

    Raises:
        RunError: there is no such cluster.
    """

    def __init__(self, address: str, at_once: int | None = None) -> None:
        self._ray, self._pulse = _connect(address)
        self._at_once = at_once
        # Each worker runs one task, so that trials cannot affect each other. Ray itself retries
        # nothing: `run_all` does.
        self._task = self._ray.remote(num_cpus=1, max_calls=1, max_retries=0)(_live)

    @property
    def at_once(self) -> int:
        """The number of trials that can run now; nodes may join and leave.

        Raises:
            RunError: the cluster no longer answers.
        """
        if self._pulse.lost:
            atexit.unregister(self._ray.shutdown)  # it would wait for the lost cluster
            raise RunError(self._pulse.lost)
        with self._pulse.calling():
            return self._at_once or int(self._ray.cluster_resources().get("CPU", 0))

    def start(self, trial: Trial) -> "RayJob":
        """Submit a task for a trial."""
        return RayJob(self._ray, self._pulse, self._task, trial)


class RayJob:
    """A trial that runs as a Ray task."""

    def __init__(self, ray: Any, pulse: Pulse, task: Any, trial: Trial) -> None:
        self._ray, self._pulse, self._log = ray, pulse, trial.log
        path, token = trial.path.absolute(), f"task {uuid4().hex}"
        self._log.say(token)
        self._said = self._log.end()
        settings = dataclasses.asdict(trial.config)
        with pulse.calling():
            self._ref = task.remote(token, versions(), settings, str(path), trial.episodes)

    def outcome(self) -> str | None:
        """None while it runs, "" if the trial is done, else what went wrong."""
        if self._pulse.lost:
            return "the cluster is lost"
        with self._pulse.calling():
            if self._ray.wait([self._ref], timeout=0)[0]:
                return self._result()
        self._be_patient()
        return None

    def _result(self) -> str:
        """The outcome of a task that has ended."""
        try:
            return str(self._ray.get(self._ref))
        except self._ray.exceptions.RayTaskError as error:  # for example a failed import
            return str(error).strip().splitlines()[-1]
        except self._ray.exceptions.RayError as error:
            return (str(error).splitlines() or ["cancelled"])[0]

    def stop(self) -> None:
        """Ask it to save and end."""
        if not self._pulse.lost:
            with self._pulse.calling():
                self._ray.cancel(self._ref)  # raises SIGINT in the worker

    def kill(self) -> None:
        """End it at once."""
        if not self._pulse.lost:
            with self._pulse.calling():
                self._ray.cancel(self._ref, force=True)
                self._ray.wait([self._ref], timeout=5.0)

    def _be_patient(self) -> None:
        """Give a sign of life for a task that is still waiting for a core."""
        with suppress(RunError):
            if self._log.end() == self._said:
                self._log.touch()


def _live(token: str, there: dict[str, str], settings: Any, path: str, episodes: int) -> str:
    """The Ray task of a trial; returns "" if the trial is done, else what went wrong."""
    node = f"node {platform.node()}"
    mine = versions()
    differ = [
        f"{name} is {mine[name]}, not {there[name]}" for name in mine if mine[name] != there[name]
    ]
    if differ:
        return f"{node}: {'; '.join(differ)}"
    trial = Trial(from_json(settings), Path(path), episodes)
    if token not in trial.log.end():
        return (
            f"{node} does not see {trial.path.parent}; it must be on storage that all nodes share"
        )
    trial.log.say(f"on {node}, process {os.getpid()}")
    return live(trial)


def _connect(address: str) -> tuple[Any, Pulse]:
    """Connect to a cluster; returns the module ray, and a `Pulse` that monitors the cluster."""
    try:
        if address != "auto":  # Ray waits for minutes if nothing answers
            greet(address)
    except SilentError as error:
        raise _no_cluster(address, error) from None
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    import ray

    ray._private.worker.print_to_stdstream = _say_nothing
    try:
        with _without_stderr():
            context: Any = ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise _no_cluster(address, error) from None
    nodes: Any = ray.nodes  # untyped
    node = next(n for n in nodes() if n["NodeID"] == context.address_info["node_id"])
    raylet = f"{node['NodeManagerAddress']}:{node['NodeManagerPort']}"
    return ray, Pulse(address, [context.address_info["gcs_address"], raylet])


def _no_cluster(address: str, problem: object) -> RunError:
    why = re.split(r"[.\n]\s", f"{problem}\n ")[0]
    return RunError(f"{address}: no Ray cluster, or one with another token: {why}")


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Discard standard error, where Ray's C++ code repeats errors that are also raised."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _say_nothing(*_: object, **__: object) -> None:
    """Replaces Ray's messages about dead workers, which the table of trials reports."""
