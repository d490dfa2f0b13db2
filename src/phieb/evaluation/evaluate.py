"""Evaluate: a frozen policy, many episodes, on all cores."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from phieb import arguments
from phieb.evaluation.episodes import num_whole, play_all, summaries
from phieb.evaluation.exported import Exported
from phieb.evaluation.frozen import EPSILON, Frozen, saved
from phieb.evaluation.held_checkpoint import Handed, Held, handed
from phieb.evaluation.policy import Policy
from phieb.evaluation.record import check_writable, num_kept, write_evaluation
from phieb.signals import StoppedError, stopping
from phieb.training.config import Config, versions
from phieb.training.given import NOTHING, Given
from phieb.training.run_folder import Run

MOST = 1_000_000  # episodes


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
        warn: told of damaged checkpoints, and of one of other versions.
        given: parts of the run that were given from Python; this process alone plays then.

    Returns:
        What is also written to evaluation.json: the checkpoint, settings, and for each value the
        mean score with its 95 % interval, and the scores and frames of all episodes.

    Raises:
        RunError: the checkpoint cannot be used, or nothing can be written; nothing was played.
        StoppedError: a signal; it says which episodes were played and written.
    """
    arguments.whole("episodes", episodes, low=1, high=MOST)
    config, held = saved(run, checkpoint, warn)
    frozen = Frozen(config, held, given)  # says what is wrong before any process is started
    kinds = frozen.kinds()
    check_writable(run, held.path.name, episodes * len(kinds))
    with stopping() as stop:
        played = play_all(frozen, _handed(config, held), episodes, workers, advance, stop)
        results = {
            "frames": held.frames,
            "checkpoint": held.identity(),
            "epsilon": frozen.epsilon,
            "evaluate_on": config.evaluate_on if len(kinds) > 1 else "behaviour",
            "versions": versions(),
            **summaries(played, kinds),
        }
        done = num_whole(played, kinds)
        if done == episodes:
            write_evaluation(run, results)
            return results
        raise StoppedError(_keep(run, results, done, episodes), stop.signal)


def evaluate_policy(
    policy: Policy,
    episodes: int,
    *,
    workers: int | None = None,
    advance: Callable[[], None] = lambda: None,
    imports: bool = False,
) -> dict[str, Any]:
    """Play an exported policy, in the same episodes as its run; nothing is written.

    Args:
        policy: from `phieb.evaluation.policy.read_policy`.
        episodes: how many.
        workers: processes; by default as many as there are cores.
        advance: called after each episode.
        imports: whether to import the modules that the policy names.

    Returns:
        As `evaluate`, without a checkpoint.

    Raises:
        RunError: the policy cannot be played.
        StoppedError: a signal.
    """
    arguments.whole("episodes", episodes, low=1, high=MOST)
    player = Exported(policy, imports=imports)
    with stopping() as stop:
        load = nullcontext(partial(Exported, policy, imports=imports))
        played = play_all(player, load, episodes, workers, advance, stop)
        if num_whole(played, player.kinds()) < episodes:
            raise StoppedError("stopped; nothing was written", stop.signal)
        return {
            "frames": policy.facts["frames"],
            "epsilon": EPSILON,
            "evaluate_on": policy.facts["value"],
            "versions": versions(),
            **summaries(played, player.kinds()),
        }


@contextmanager
def _handed(config: Config, held: Held) -> Iterator[Callable[[], Frozen]]:
    """A checkpoint for other processes."""
    with handed(held) as copy:
        yield partial(_arrived, config, copy, held.digest)


def _arrived(config: Config, copy: Handed, digest: str) -> Frozen:
    """The agent of a checkpoint, in a process that it was handed to."""
    return Frozen(config, copy.held(digest))


def _keep(run: Run, results: dict[str, Any], done: int, episodes: int) -> str:
    """Write what was played before it was stopped, and say so; more episodes are not replaced."""
    kept = num_kept(run, results["checkpoint"]["name"])
    if done == 0 or kept >= done:
        return "stopped; nothing was written"
    write_evaluation(run, results)
    return f"stopped; the first {done:,} of {episodes:,} episodes are in {run.evaluation_file}"
