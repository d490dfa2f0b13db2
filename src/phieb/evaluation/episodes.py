"""Many episodes of a frozen agent, in this process or in several, until it is stopped."""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from itertools import count, islice
from multiprocessing import active_children, get_context
from typing import Any

from phieb.cores import num_cores
from phieb.evaluation.frozen import Played, Player, play_episode
from phieb.files.errors import DamagedError, RunError
from phieb.intervals import bootstrap_mean
from phieb.signals import Stop
from phieb.training.given import NOTHING

Task = tuple[str, int]  # the value to act on, and the number of the episode
Advance = Callable[[], None]
Handed = AbstractContextManager[Callable[[], Player]]

_KILLED = "a process that evaluated was killed"
_NEVER_BEGAN = (
    f"{_KILLED}, or could not import the program that called evaluate; from Python, train and "
    'evaluate under if __name__ == "__main__":'
)


def play_all(
    player: Player,
    handed: Handed,
    episodes: int,
    workers: int | None,
    advance: Advance,
    stop: Stop,
) -> list[Played]:
    """So many episodes with each value, or those that were played when it was stopped.

    Args:
        player: the agent.
        handed: while it is open, what makes the agent once more in another process.
        episodes: how many.
        workers: processes; by default as many as there are cores. An agent with parts that were
            given from Python plays in this one.
        advance: called after each episode.
        stop: whether to.

    Raises:
        RunError: a process was killed.
    """
    # Episode by episode: stopped early, all values have been played as often.
    tasks = [(kind, k) for k in range(episodes) for kind in player.kinds()]
    workers = 1 if player.given != NOTHING else min(workers or num_cores(), len(tasks))
    if workers == 1:
        return _play_here(player, tasks, advance, stop)
    try:
        with handed as load:
            return _play_elsewhere(load, tasks, workers, advance, stop)
    except BrokenProcessPool as broken:
        raise RunError(f"{player.name}: {broken}") from None


def num_whole(played: Sequence[Played], kinds: Sequence[str]) -> int:
    """How many episodes were played, without a gap, with each value."""
    there = {(one.kind, one.episode) for one in played}
    return next(k for k in count() if not all((kind, k) in there for kind in kinds))


def summaries(played: Sequence[Played], kinds: Sequence[str]) -> dict[str, Any]:
    """What came of each value, as far as all of them were played.

    Episodes beyond would be short ones more often than long ones.
    """
    done = num_whole(played, kinds)
    return {kind: _summary([p for p in played if p.episode < done], kind) for kind in kinds if done}


def _summary(played: Sequence[Played], kind: str) -> dict[str, Any]:
    """What came of the episodes that acted on one value."""
    mine = sorted(one for one in played if one.kind == kind)
    scores = [one.score for one in mine]
    mean, low, high = bootstrap_mean(scores)
    frames = [one.frames for one in mine]
    return {"mean": mean, "interval": [low, high], "scores": scores, "frames": frames}


def _play_elsewhere(
    load: Callable[[], Player], tasks: Sequence[Task], workers: int, advance: Advance, stop: Stop
) -> list[Played]:
    """All episodes, in as many processes; a few are waiting for each."""
    played, todo, pending = list[Played](), iter(tasks), set[Future[Played]]()
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_load, initargs=(load,))
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


def _play_here(player: Player, tasks: Sequence[Task], advance: Advance, stop: Stop) -> list[Played]:
    """All episodes, in this process."""
    played = list[Played]()
    for task in tasks:
        one = play_episode(player, *task, lambda: stop.signal)
        if stop.signal:
            break
        played.append(one)
        advance()
    return played


_LOADED: list[Player | str] = []  # of a worker process: the agent, or why there is none


def _load(load: Callable[[], Player]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked for us
    try:
        _LOADED.append(load())
    except (RunError, DamagedError) as error:  # raised here, it would be printed with a traceback
        _LOADED.append(str(error))


def _play(kind: str, episode: int) -> Played:
    loaded = _LOADED[0]
    if isinstance(loaded, str):
        raise RunError(loaded)
    return play_episode(loaded, kind, episode)
