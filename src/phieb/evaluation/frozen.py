"""A trained agent that plays and no longer learns."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from phieb.drawing import sight
from phieb.drawing.playing import Now
from phieb.evaluation.held_checkpoint import Held, hold
from phieb.features import FeatureMap
from phieb.learning import EpsilonGreedy, Learner
from phieb.novelty import VisitDensity
from phieb.novelty.around import innermost, visits_of
from phieb.training.config import Config
from phieb.training.given import NOTHING, Given
from phieb.training.parts import new_world
from phieb.training.run_folder import Run, RunError, other_versions
from phieb.training.training import Training
from phieb.worlds.gymnasium_world import GymnasiumWorld

EPSILON = 0.01
STREAM = 1  # of random numbers, beside the one that training has


class Moment(NamedTuple):
    """Where an agent is, after a decision or at the start."""

    observation: Any
    active: NDArray[np.int64]
    score: float
    frames: int
    picture: NDArray[np.uint8] | None = None
    room: int | None = None


class Judge:
    """Tells what is new to an agent. Nothing is counted.

    Args:
        learner: has the agent's features and bonus.
    """

    def __init__(self, learner: Learner) -> None:
        self._features, self._bonus = learner.features, innermost(learner.bonus)

    @property
    def counts(self) -> VisitDensity | None:
        """How often features were on in training, if its bonus counts them."""
        return visits_of(self._bonus)

    def novelty(self, moment: Moment) -> tuple[float, float] | None:
        """The pseudocount and the bonus that a moment would have.

        None without a bonus, and with one that depends on the observation before.
        """
        bonus = self._bonus
        if bonus is None or bonus.remembers:
            return None
        shows = bonus.observes == "observation"
        return bonus.peek(moment.observation if shows else moment.active)

    def now(self, moment: Moment, most: int, *, counted: bool = False) -> Now:
        """What a picture shows of a moment.

        Args:
            moment: where the agent is.
            most: how many new features to name.
            counted: whether it is in the counts already; the features named leave it out then.
        """
        counts, seen = self.counts, None
        if counts is not None:
            what = moment.observation, moment.active
            seen = sight(self._features, counts, *what, most=most, counted=counted)
        observation, active, score, frames, picture, room = moment
        novelty = self.novelty(moment)
        return Now(observation, active, score, frames, picture, seen, novelty, room)


class Player(Protocol):
    """What plays episodes: the agent of a checkpoint, or one that was exported to a file."""

    @property
    def name(self) -> str:
        """What it is called in messages."""

    @property
    def label(self) -> str:
        """What figures and films call its agent."""

    @property
    def frames(self) -> int:
        """Of its training."""

    @property
    def config(self) -> Config:
        """The settings that the world is made from."""

    @property
    def given(self) -> Given:
        """Parts of the run that were given from Python."""

    @property
    def features(self) -> FeatureMap:
        """The feature map φ."""

    @property
    def epsilon(self) -> float:
        """ε of its policy; 0 if actions are drawn from it."""

    def start(self) -> None:
        """An episode starts."""

    def choose(
        self, observation: Any, active: NDArray[np.int64], kind: str, policy: EpsilonGreedy
    ) -> int:
        """The number of an action, from the values of one kind."""

    def kinds(self) -> list[str]:
        """Which values it can act on."""

    def now(self, moment: Moment, most: int) -> Now:
        """What a picture shows of a moment, with at most so many new features named."""


class Frozen(Judge):
    """The agent of a checkpoint.

    Args:
        config: the settings of its run.
        held: the checkpoint.
        given: parts of the run that were given from Python.
    """

    def __init__(self, config: Config, held: Held, given: Given = NOTHING) -> None:
        self.config, self.given, self.frames = config, given, held.frames
        self.label = config.label
        try:
            self.training = Training(config, given)
            super().__init__(self.training.learner)
            self.training.learner.restore(held.learner)
            self.training.learner.agent.freeze()
        except (ValueError, KeyError, TypeError) as error:
            raise RunError(f"{held.path}: {error}") from None
        self.name = str(held.path.parents[1])
        self.features, self.agent = self.training.learner.features, self.training.learner.agent

    @classmethod
    def of_run(
        cls,
        run: Run,
        checkpoint: int | None = None,
        warn: Callable[[str], None] = print,
        given: Given = NOTHING,
    ) -> "Frozen":
        """The agent of a run, as the newest checkpoint has it or the one at this frame."""
        return cls(*saved(run, checkpoint, warn), given)

    @property
    def epsilon(self) -> float:
        """ε; 0 if the policy is stochastic, and actions are drawn from it."""
        return 0.0 if self.agent.is_stochastic else EPSILON

    def start(self) -> None:
        """An episode starts."""
        self.features.reset()
        if self.agent.sees is not None:
            self.agent.sees.reset()

    def choose(
        self, observation: Any, active: NDArray[np.int64], kind: str, policy: EpsilonGreedy
    ) -> int:
        """The number of an action, from the values of training or those of the rewards alone."""
        seen = active if self.agent.sees is None else self.agent.sees.active(observation)
        if kind == "extrinsic":
            return policy.choose(self.agent.q_extrinsic(seen))
        return self.agent.evaluated_action(seen, policy)

    def kinds(self) -> list[str]:
        """Which values it can act on."""
        return ["behaviour", "extrinsic"] if self.agent.value == "split" else ["behaviour"]


class Played(NamedTuple):
    """One episode."""

    kind: str
    episode: int
    score: float
    frames: int


def decisions(
    player: Player, kind: str, episode: int, *, pictures: bool = False
) -> Iterator[Moment]:
    """One episode of a frozen agent; which depends on the run's seed and the episode's number.

    Args:
        player: the agent.
        kind: the value to act on.
        episode: its number.
        pictures: whether moments are to have what the environment renders.
    """
    seeds = np.random.SeedSequence([player.config.seed, STREAM, episode]).generate_state(2)
    world = new_world(player.config, int(seeds[0]), player.given, pictures=pictures)
    features, first = player.features, int(world.action_space.start)
    policy = EpsilonGreedy(player.epsilon, np.random.default_rng(seeds[1]))
    observation, info = world.reset()
    player.start()
    score, over, frames = 0.0, False, int(info["frames"])
    while True:
        active = features.active(observation)
        picture = world.picture() if pictures and isinstance(world, GymnasiumWorld) else None
        yield Moment(observation, active, score, frames, picture, world.room)
        if over:
            return
        action = player.choose(observation, active, kind, policy)
        observation, reward, ended, cut = world.decide(first + action)
        score, over, frames = score + reward, ended or cut, world.frames


def play_episode(
    player: Player, kind: str, episode: int, is_stopped: Callable[[], object] = lambda: False
) -> Played:
    """What came of an episode, or of what was played of it when it was stopped."""
    for decision in decisions(player, kind, episode):
        score, frames = decision.score, decision.frames
        if is_stopped():
            break
    return Played(kind, episode, score, frames)


def saved(run: Run, checkpoint: int | None, warn: Callable[[str], None]) -> tuple[Config, Held]:
    """The settings of a run and its newest checkpoint or the one at this frame.

    A checkpoint of other versions is read, with a warning: what was learnt is the same, but the
    game or the feature map may not be.

    Raises:
        RunError: there is no such checkpoint, or it is damaged, or of other settings.
    """
    config, held = run.config(), hold(run, checkpoint, warn)
    run.check_settings(config, held.facts)
    differ = other_versions(held.facts["versions"])
    if differ:
        warn(f"{run.path}: trained with other versions, scores may differ: {'; '.join(differ)}")
    return config, held
