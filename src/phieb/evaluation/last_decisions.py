"""The last decisions before the newest checkpoint of a run, and what was new on their screens.

A checkpoint has the actions since the episode began: they are played again. Nothing is learnt, and
of what was learnt only the bonus is kept. The run, which may be training, is only read.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from numpy.typing import NDArray

from phieb.drawing.playing import Now
from phieb.evaluation.frozen import Judge, Moment
from phieb.learning import Learner
from phieb.training.config import Config
from phieb.training.parts import new_learner, new_world
from phieb.training.run_folder import Run, RunError
from phieb.training.training import SUMS
from phieb.worlds import Atari
from phieb.worlds.gymnasium_world import GymnasiumWorld
from phieb.worlds.world import World


class LastDecisions(NamedTuple):
    """Of the episode that was under way.

    Attributes:
        frames: of the checkpoint.
        score: of the episode so far.
        moments: the decisions, the last one last. An environment of Gymnasium's is saved at the
            start of an episode: it has that alone.
    """

    frames: int
    score: float
    moments: Iterator[Now]


def last_decisions(
    run: Run, most: int, warn: Callable[[str], None], *, named: int = 4
) -> LastDecisions | None:
    """The last decisions before the newest checkpoint; None if there is no checkpoint yet.

    Args:
        run: the run.
        most: how many decisions.
        warn: told of damaged checkpoints.
        named: how many new features of each to name.

    Raises:
        RunError: the checkpoint cannot be read, or is of other settings or versions.
    """
    config, newest = run.config(), run.newest(warn)
    if newest is None:
        return None
    parts, facts = newest
    run.check_same(config, facts)
    with _damaged(run):
        world = _world(config)
        learner = new_learner(config, world, config.seed)
        learner.restore_bonus(parts["learner"])
        score = float(parts["progress"]["sums"][SUMS.index("score")])
    there = parts["world"]
    del parts, newest  # the weights are most of it, and are not needed
    moments = _judged(run, learner, _replayed(world, there, most), score, named)
    return LastDecisions(facts["frames"], score, moments)


def _world(config: Config) -> World:
    """The world of a run, with pictures if its environment renders any."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return new_world(config, config.seed, pictures=True)
    except (TypeError, ValueError):
        return new_world(config, config.seed)


def _replayed(world: World, there: Mapping[str, NDArray[Any]], most: int) -> Iterator[Any]:
    """What was observed, what is known of it, and what an environment renders.

    The first is of the state before the last decisions.
    """
    if isinstance(world, Atari):
        for observation, info in world.replay(there, most):
            yield observation, info, None
    elif isinstance(world, GymnasiumWorld):
        with warnings.catch_warnings(action="ignore"):  # an episode that is not repeated
            observed = world.restore(there)
        yield *observed, world.picture()


def _judged(
    run: Run, learner: Learner, shown: Iterator[Any], score: float, named: int
) -> Iterator[Now]:
    """What was new in each observation; the first is left out if there are others."""
    judge, features, first = Judge(learner), learner.features, None
    features.reset()
    with _damaged(run):
        for number, (observation, info, picture) in enumerate(shown):
            # At once: the next observation overwrites the ids of the features of this one.
            active, room = features.active(observation), info.get("room")
            moment = Moment(observation, active, score, info["frames"], picture, room)
            now = judge.now(moment, named, counted=True)
            if number:
                yield now
            first = now if number == 0 else None
    if first is not None:
        yield first


@contextmanager
def _damaged(run: Run) -> Iterator[None]:
    """What was saved does not fit: one line says why."""
    try:
        yield
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"{run.path}: {error}") from None
