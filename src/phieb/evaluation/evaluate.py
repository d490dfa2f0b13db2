"""Evaluate: a frozen policy, many episodes, on all cores."""

import signal
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from multiprocessing import active_children, get_context
from typing import Any

from phieb import arguments
from phieb.cores import num_cores
from phieb.evaluation.frozen import Frozen, Played, play_episode, saved
from phieb.evaluation.held_checkpoint import Handed, Held, handed
from phieb.evaluation.record import check_writable, num_kept, write_evaluation
from phieb.files.errors import DamagedError
from phieb.intervals import bootstrap_mean
from phieb.signals import Stop, StoppedError, stopping
from phieb.training.config import Config
from phieb.training.given import NOTHING, Given
from phieb.training.run_folder import Run, RunError

Task = tuple[str, int]  # the value to act on, and the number of the episode

_KILLED = "a process that evaluated was killed"
_NEVER_BEGAN = (
    f"{_KILLED}, or could not import the program that called evaluate; from Python, train and "
    'evaluate under if __name__ == "__main__":'
)


def evaluate(
    run: Run,
    episodes: int,
    *,
    checkpoint: int | None = None,
    workers: int | None = None,
    advance: Callable[[], None] = lambda: None,
    warn: Callable[[str], None] = print,
    given: Given = NOTHING,
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
        given: parts of the run that were given from Python; this process alone plays then.

    Returns:
        What is also written to evaluation.json: the checkpoint, settings, and for each value the
        mean score with its 95 % interval, and the scores and frames of all episodes.

    Raises:
        RunError: the checkpoint cannot be used, or nothing can be written; nothing was played.
        StoppedError: a signal; it says which episodes were played and written.
    """
    arguments.whole("episodes", episodes, low=1, high=1_000_000)
    config, held = saved(run, checkpoint, warn)
    frozen = Frozen(config, held, given)  # says what is wrong before any process is started
    kinds = frozen.kinds()
    check_writable(run, held.path.name, episodes * len(kinds))
    # Episode by episode: stopped early, all values have been played as often.
    tasks = [(kind, k) for k in range(episodes) for kind in kinds]
    workers = 1 if given != NOTHING else min(workers or num_cores(), len(tasks))
    with stopping() as stop:
        try:
            if workers == 1:
                played = _play_here(frozen, tasks, advance, stop)
            else:
                played = _play_all(config, held, tasks, workers, advance, stop)
        except BrokenProcessPool as broken:
            raise RunError(f"{run.path}: {broken}") from None
        results = _results(config, held, frozen.epsilon, played, kinds)
        done = _num_whole(played, kinds)
        if done == episodes:
            write_evaluation(run, results)
            return results
        raise StoppedError(_keep(run, results, done, episodes), stop.signal)


def _results(
    config: Config, held: Held, epsilon: float, played: list[Played], kinds: list[str]
) -> dict[str, Any]:
    """What is written: the first episodes, as far as all of them were played with each value.

    Episodes beyond would be short ones more often than long ones.
    """
    done = _num_whole(played, kinds)
    return {
        "frames": held.frames,
        "checkpoint": held.identity(),
        "epsilon": epsilon,
        "evaluate_on": config.evaluate_on if len(kinds) > 1 else "behaviour",
        **{kind: _summary([p for p in played if p.episode < done], kind) for kind in kinds if done},
    }


def _num_whole(played: list[Played], kinds: list[str]) -> int:
    """How many episodes were played, without a gap, with each value."""
    there = {(one.kind, one.episode) for one in played}
    return next(k for k in count() if not all((kind, k) in there for kind in kinds))


def _keep(run: Run, results: dict[str, Any], done: int, episodes: int) -> str:
    """Write what was played before it was stopped, and say so; more episodes are not replaced."""
    kept = num_kept(run, results["checkpoint"]["name"])
    if done == 0 or kept >= done:
        return "stopped; nothing was written"
    write_evaluation(run, results)
    return f"stopped; the first {done:,} of {episodes:,} episodes are in {run.evaluation_file}"


def _summary(played: list[Played], kind: str) -> dict[str, Any]:
    """What came of the episodes that acted on one value."""
    mine = sorted(one for one in played if one.kind == kind)
    scores = [one.score for one in mine]
    mean, low, high = bootstrap_mean(scores)
    frames = [one.frames for one in mine]
    return {"mean": mean, "interval": [low, high], "scores": scores, "frames": frames}


def _play_all(
    config: Config,
    held: Held,
    tasks: list[Task],
    workers: int,
    advance: Callable[[], None],
    stop: Stop,
) -> list[Played]:
    """All episodes, in as many processes, until it is stopped; a few are waiting for each."""
    played, todo, pending = list[Played](), iter(tasks), set[Future[Played]]()
    others = set(active_children())
    with handed(held) as copy:
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
        except BrokenProcessPool:
            raise BrokenProcessPool(_KILLED if played else _NEVER_BEGAN) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if len(played) < len(tasks):  # nothing is lost with episodes that are under way
                for process in set(active_children()) - others:
                    process.terminate()
    return played


def _play_here(
    frozen: Frozen, tasks: list[Task], advance: Callable[[], None], stop: Stop
) -> list[Played]:
    """All episodes, in this process, until it is stopped."""
    played = list[Played]()
    for task in tasks:
        one = play_episode(frozen, *task, lambda: stop.signal)
        if stop.signal:
            break
        played.append(one)
        advance()
    return played


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
