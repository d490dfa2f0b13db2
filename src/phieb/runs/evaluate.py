"""Evaluate: a frozen policy, many episodes, on all cores."""

import math
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, get_context
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.intervals import bootstrap_mean
from phieb.learning import EpsilonGreedy
from phieb.novelty import pseudocount
from phieb.runs.cores import num_cores
from phieb.runs.folder import Run, RunError, numbers, read_json, write_json
from phieb.runs.phi_explorer import PhiExplorer
from phieb.runs.stopping import StoppedError, stopping
from phieb.runs.training import Training, new_world

EPSILON = 0.01
STREAM = 1  # of random numbers, beside the one that training has


class Frozen:
    """A trained agent that no longer learns.

    Args:
        run: the run; its newest checkpoint is taken.
        warn: told of damaged checkpoints.
    """

    def __init__(self, run: Run, warn: Callable[[str], None] = print) -> None:
        newest = run.newest(warn)
        if newest is None:
            raise RunError(f"{run.path}: no checkpoint yet")
        parts, facts = newest
        self.config, self.frames = run.config(), int(facts["frames"])
        run.check_same(self.config, facts)
        self.training = Training(self.config)
        try:
            self.training.explorer.restore(parts["learner"])
        except (ValueError, KeyError, TypeError) as error:
            raise RunError(f"{run.checkpoints}: {error}") from None

    def bonus(self, active: NDArray[np.int64]) -> float:
        """The φ-EB that these features would earn; nothing is counted. 0 with another bonus."""
        explorer, config = self.training.explorer, self.config
        if not isinstance(explorer, PhiExplorer):
            return 0.0
        return config.beta / math.sqrt(pseudocount(*explorer.density.peek(active)) + config.kappa)

    def kinds(self) -> list[str]:
        """Which values it can act on."""
        split = self.training.explorer.agent.value == "split"
        return ["behaviour", "extrinsic"] if split else ["behaviour"]


class Decision(NamedTuple):
    """Where a frozen agent is, after a decision or at the start."""

    screen: NDArray[np.uint8]
    active: NDArray[np.int64]
    score: float
    frames: int


class Played(NamedTuple):
    """One episode."""

    kind: str
    episode: int
    score: float
    frames: int


def decisions(frozen: Frozen, kind: str, episode: int) -> Iterator[Decision]:
    """One episode of a frozen agent; which depends on the run's seed and the episode's number."""
    seeds = np.random.SeedSequence([frozen.config.seed, STREAM, episode]).generate_state(2)
    world, features = new_world(frozen.config, int(seeds[0])), frozen.training.features
    linear = frozen.training.explorer.agent.linear
    policy = EpsilonGreedy(EPSILON, np.random.default_rng(seeds[1]))
    screen, info = world.reset()
    features.reset()
    score, over = 0.0, False
    while True:
        active = features.active(screen)
        yield Decision(screen, active, score, int(info["frames"]))
        if over:
            return
        q = linear.of(active)
        q = q[0] if kind == "extrinsic" else q.sum(axis=0)
        screen, reward, ended, cut, info = world.step(np.int64(policy.choose(q)))
        score, over = score + reward, ended or cut


def play_episode(
    frozen: Frozen, kind: str, episode: int, is_stopped: Callable[[], object] = lambda: False
) -> Played:
    """What came of an episode, or of what was played of it when it was stopped."""
    for decision in decisions(frozen, kind, episode):
        score, frames = decision.score, decision.frames
        if is_stopped():
            break
    return Played(kind, episode, score, frames)


def evaluate(
    run: Run,
    episodes: int,
    *,
    workers: int | None = None,
    advance: Callable[[], None] = lambda: None,
    warn: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Play a run's newest checkpoint: no learning, no bonus, ε = 0.01.

    The same whatever the number of workers. With a split value it acts on the value that was
    trained with, and in as many other episodes on the value of the rewards alone.

    Args:
        run: the run.
        episodes: how many, with each value.
        workers: processes; by default as many as there are cores.
        advance: called after each episode.
        warn: told of damaged checkpoints.

    Returns:
        What is also written to evaluation.json: settings, and for each value the mean score with
        its 95 % interval, and the scores and frames of all episodes.
    """
    arguments.whole("episodes", episodes, low=1, high=1_000_000)
    frozen = Frozen(run, warn)  # says what is wrong before any process is started
    tasks = [(kind, k) for kind in frozen.kinds() for k in range(episodes)]
    workers = min(workers or num_cores(), len(tasks))
    try:
        if workers == 1:
            played = _play_here(frozen, tasks, advance)
        else:
            played = _play_all(run, tasks, workers, advance)
    except BrokenProcessPool:
        raise RunError(f"{run.path}: a process that evaluated was killed") from None
    results: dict[str, Any] = {
        "frames": frozen.frames,
        "epsilon": EPSILON,
        "evaluate_on": frozen.config.evaluate_on if len(frozen.kinds()) > 1 else "behaviour",
    }
    for kind in frozen.kinds():
        mine = sorted(one for one in played if one.kind == kind)
        scores = [one.score for one in mine]
        mean, low, high = bootstrap_mean(scores)
        results[kind] = {
            "mean": mean,
            "interval": [low, high],
            "scores": scores,
            "frames": [one.frames for one in mine],
        }
    write_json(run.evaluation_file, results)
    return results


def _play_all(
    run: Run, tasks: list[tuple[str, int]], workers: int, advance: Callable[[], None]
) -> list[Played]:
    """All episodes, in as many processes; a few are waiting for each at any time."""
    played, todo, pending = list[Played](), iter(tasks), set[Future[Played]]()
    args, others = (str(run.path),), set(active_children())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_load, initargs=args)
    with stopping() as stop, pool:
        while len(played) < len(tasks) and not stop.signal:
            more = islice(todo, 4 * workers - len(pending))
            pending |= {pool.submit(_play, *task) for task in more}
            done, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
            for one in done:
                played.append(one.result())
                advance()
        pool.shutdown(wait=False, cancel_futures=True)
        if stop.signal:  # nothing is lost with episodes that are under way
            for process in set(active_children()) - others:
                process.terminate()
    if stop.signal:
        raise StoppedError("stopped; nothing was written", stop.signal)
    return played


def _play_here(
    frozen: Frozen, tasks: list[tuple[str, int]], advance: Callable[[], None]
) -> list[Played]:
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


_FROZEN: list[Frozen] = []  # of a worker process


def _load(path: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked for us
    _FROZEN.append(Frozen(Run(path), lambda _: None))


def _play(kind: str, episode: int) -> Played:
    return play_episode(_FROZEN[0], kind, episode)
