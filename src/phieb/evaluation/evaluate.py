"""Evaluate: a frozen policy, many episodes, on all cores."""

import signal
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, get_context
from typing import Any

from phieb import arguments
from phieb.cores import num_cores
from phieb.evaluation.frozen import EPSILON, Frozen, Played, play_episode, saved
from phieb.evaluation.held_checkpoint import Handed, Held, handed, is_identity
from phieb.intervals import bootstrap_mean
from phieb.training.checkpoint import DamagedError
from phieb.training.config import Config
from phieb.training.run_folder import Run, RunError, numbers, read_json, write_json
from phieb.training.signals import StoppedError, stopping

Task = tuple[str, int]  # the value to act on, and the number of the episode


def evaluate(
    run: Run,
    episodes: int,
    *,
    checkpoint: int | None = None,
    workers: int | None = None,
    advance: Callable[[], None] = lambda: None,
    warn: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Play one checkpoint of a run, which may be training: no learning, no bonus, ε = 0.01.

    The same whatever the number of workers. With a split value it acts on the value that was
    trained with, and in as many other episodes on the value of the rewards alone.

    Args:
        run: the run.
        episodes: how many, with each value.
        checkpoint: its frames; by default the newest that is whole when this is called.
        workers: processes; by default as many as there are cores.
        advance: called after each episode.
        warn: told of damaged checkpoints.

    Returns:
        What is also written to evaluation.json: the checkpoint, settings, and for each value the
        mean score with its 95 % interval, and the scores and frames of all episodes.
    """
    arguments.whole("episodes", episodes, low=1, high=1_000_000)
    config, held = saved(run, checkpoint, warn)
    frozen = Frozen(config, held)  # says what is wrong before any process is started
    tasks = [(kind, k) for kind in frozen.kinds() for k in range(episodes)]
    workers = min(workers or num_cores(), len(tasks))
    try:
        if workers == 1:
            played = _play_here(frozen, tasks, advance)
        else:
            played = _play_all(config, held, tasks, workers, advance)
    except BrokenProcessPool:
        raise RunError(f"{run.path}: a process that evaluated was killed") from None
    results: dict[str, Any] = {
        "frames": held.frames,
        "checkpoint": held.identity(),
        "epsilon": EPSILON,
        "evaluate_on": config.evaluate_on if len(frozen.kinds()) > 1 else "behaviour",
        **{kind: _summary(played, kind) for kind in frozen.kinds()},
    }
    # One a checkpoint as well: a run that is extended is evaluated again.
    run.evaluations.mkdir(exist_ok=True)
    write_json(run.evaluations / f"{results['checkpoint']['name']}.json", results)
    write_json(run.evaluation_file, results)
    return results


def _summary(played: list[Played], kind: str) -> dict[str, Any]:
    """What came of the episodes that acted on one value."""
    mine = sorted(one for one in played if one.kind == kind)
    scores = [one.score for one in mine]
    mean, low, high = bootstrap_mean(scores)
    frames = [one.frames for one in mine]
    return {"mean": mean, "interval": [low, high], "scores": scores, "frames": frames}


def _play_all(
    config: Config, held: Held, tasks: list[Task], workers: int, advance: Callable[[], None]
) -> list[Played]:
    """All episodes, in as many processes; a few are waiting for each at any time."""
    played, todo, pending = list[Played](), iter(tasks), set[Future[Played]]()
    others = set(active_children())
    with stopping() as stop, handed(held) as copy:
        args = (config, copy, held.digest)
        pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_load, initargs=args)
        try:
            while len(played) < len(tasks) and not stop.signal:
                more = islice(todo, 4 * workers - len(pending))
                pending |= {pool.submit(_play, *task) for task in more}
                done, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
                for one in done:
                    played.append(one.result())
                    advance()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if len(played) < len(tasks):  # nothing is lost with episodes that are under way
                for process in set(active_children()) - others:
                    process.terminate()
    if stop.signal:
        raise StoppedError("stopped; nothing was written", stop.signal)
    return played


def _play_here(frozen: Frozen, tasks: list[Task], advance: Callable[[], None]) -> list[Played]:
    """All episodes, in this process."""
    played = []
    with stopping() as stop:
        for task in tasks:
            played.append(play_episode(frozen, *task, lambda: stop.signal))
            advance()
            if stop.signal:
                raise StoppedError("stopped; nothing was written", stop.signal)
    return played


def read_evaluation(run: Run) -> dict[str, Any] | None:
    """What `evaluate` wrote, or None if it never did."""
    if not run.evaluation_file.exists():
        return None
    found = read_json(run.evaluation_file)
    try:
        numbers([found["frames"]])
        if not is_identity(found["checkpoint"], found["frames"]):
            raise ValueError
        for kind in {"behaviour", "extrinsic"} & found.keys():
            one = found[kind]
            low, high = numbers(one["interval"])
            scores, frames = numbers(one["scores"]), numbers(one["frames"])
            if not scores or len(scores) != len(frames) or (numbers([one["mean"]]) and low > high):
                raise ValueError
        if found["evaluate_on"] not in ("behaviour", "extrinsic"):
            raise ValueError
        found[found["evaluate_on"]]
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{run.evaluation_file}: is damaged") from None
    return found


_LOADED: list[Frozen | str] = []  # of a worker process: the agent, or why there is none


def _load(config: Config, copy: Handed, digest: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked for us
    try:
        _LOADED.append(Frozen(config, copy.held(digest)))
    except (RunError, DamagedError) as error:  # raised here, it would be printed with a traceback
        _LOADED.append(str(error))


def _play(kind: str, episode: int) -> Played:
    loaded = _LOADED[0]
    if isinstance(loaded, str):
        raise RunError(loaded)
    return play_episode(loaded, kind, episode)
