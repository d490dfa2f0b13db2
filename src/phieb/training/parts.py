"""Makes the parts of a run from its settings: world, features, agent and bonus."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from phieb.arguments import NotFiniteError, feature_ids
from phieb.features import FEATURES, BlobProst, FeatureMap
from phieb.features.choice import wants_ranges
from phieb.features.protocol import feature_map
from phieb.features.ranges import Ranges, ranges_of
from phieb.learning import AGENTS, CompiledLearner, ComposedLearner, Learner, SarsaLambda
from phieb.learning.agent import TrainableAgent
from phieb.learning.dial import Dial
from phieb.novelty import BONUSES, Bonus, PhiBonus, Shortfall
from phieb.registry import Part, Registry
from phieb.sparse.active_set import ActiveSet
from phieb.training.config import Config
from phieb.training.given import NOTHING, Given
from phieb.worlds import Atari, background
from phieb.worlds.gymnasium_world import GymnasiumWorld
from phieb.worlds.names import GIVEN, make_env
from phieb.worlds.world import World

RANGE_STEPS = 1_000  # steps of random play from which ranges of observations are estimated


class Offered(Mapping[str, Any]):
    """The values available to the constructors of parts, by parameter name.

    These are all settings of the run and: `seed` (of the agent's random stream),
    `observation_space`, `shape` (of an observation), `num_actions`, `actions` (the action space),
    `background` (Atari games only), `ranges` (of unbounded observations), `features` (the feature
    map, for agents and bonuses), `active_set`, and for agents `initial_value`, `scale_reward`,
    `precision` and `dial`.
    """

    def __init__(self, config: Config, world: World, seed: int, given: Given = NOTHING) -> None:
        self._config, self._given = config, given
        bonus = config.bonus != "none"  # without a bonus, a split value has nothing to separate
        largest = config.beta / math.sqrt(config.kappa)
        self._values: dict[str, Any] = {
            **asdict(config),
            "seed": seed,
            "observation_space": world.observation_space,
            "shape": getattr(world.observation_space, "shape", None),
            "num_actions": int(world.action_space.n),
            "actions": world.action_space,
            "value": config.value if bonus else "joint",
            "continuing": config.continuing and bonus,
            "initial_value": largest if config.optimistic and bonus else 0.0,
            "scale_reward": config.is_atari,
            "precision": "single",
            "active_set": None,
            "dial": Dial() if config.dial else None,
        }

    def with_(self, **more: Any) -> "Offered":
        """Add or replace values; returns `self`."""
        self._values.update(more)
        return self

    def __getitem__(self, name: str) -> Any:
        if name == "background" and self._config.is_atari:  # takes seconds to compute
            return background(self._config.game)
        if name == "ranges" and name not in self._values:  # takes a thousand steps to learn
            return self._ranges()
        return self._values[name]

    def _ranges(self) -> Ranges | None:
        """Ranges of the observations of random play in a separate world; None if not needed."""
        if self._config.is_atari or not wants_ranges(self._values["observation_space"]):
            return None
        world = new_world(self._config, self._config.seed, self._given)
        return learnt_ranges(world, np.random.default_rng(self._config.seed))

    def __iter__(self) -> Iterator[str]:
        yield from {**self._values, "ranges": None}
        if self._config.is_atari:
            yield "background"

    def __len__(self) -> int:
        return len(list(iter(self)))


def new_world(
    config: Config, seed: int | None, given: Given = NOTHING, *, pictures: bool = False
) -> World:
    """The world of a run.

    Args:
        config: the settings of the run.
        seed: the seed of all its episodes.
        given: parts passed from Python.
        pictures: whether a Gymnasium environment should render RGB arrays.
    """
    if not config.is_atari:
        env = given.made_env(config) if config.game == GIVEN else None
        env = make_env(config.game, config.env_args, pictures=pictures) if env is None else env
        return GymnasiumWorld(config.game, env, seed, config.max_frames)
    return Atari(
        config.game,
        sticky=config.sticky,
        frame_skip=config.frame_skip,
        max_frames=config.max_frames,
        noops=config.noops,
        actions=config.actions,
        screen=config.screen,
        seed=seed,
    )


def new_learner(config: Config, world: World, seed: int, given: Given = NOTHING) -> Learner:
    """The learner of a run: a `CompiledLearner` for the parts that it supports."""
    offered = Offered(config, world, seed, given)
    features = _features(config, given, offered)
    offered.with_(features=features, active_set=ActiveSet())
    _check_agent_args(config, given)
    agent = _agent(_made("agent", config.agent, AGENTS, given.agent, offered))
    offered.with_(seed=seed % 2**63, active_set=None)
    if isinstance(features, BlobProst) and isinstance(agent, SarsaLambda) and not config.shortfall:
        if config.bonus == "none":
            return CompiledLearner(features, agent, None, config.bonus_for)
        if config.bonus == "phi":
            shared: PhiBonus = BONUSES.make("phi", offered.with_(active_set=agent.active_set))
            return CompiledLearner(features, agent, shared, config.bonus_for)
    bonus = _bonus(_made("bonus", config.bonus, BONUSES, given.bonus, offered))
    if bonus is not None and config.shortfall:
        bonus = Shortfall(bonus)
    return ComposedLearner(features, agent, bonus, config.bonus_for)


def new_features(config: Config, world: World, seed: int, ranges: Ranges | None) -> FeatureMap:
    """The feature map of a run, without its learner; `ranges` are those that the run has learnt."""
    return _features(config, NOTHING, Offered(config, world, seed).with_(ranges=ranges))


def check_parts(config: Config) -> None:
    """Try a user-defined environment or user-defined parts for one step.

    Raises:
        ValueError, TypeError: they cannot be constructed or do not fit together; the message is
            one line.
    """
    named = (config.features, config.agent, config.bonus)
    usual = not config.agent_args and not any(
        ":" in name or registry.needs_extra(name)
        for name, registry in zip(named, (FEATURES, AGENTS, BONUSES), strict=True)
    )
    if config.is_atari and usual:
        return
    world = new_world(config, 0)
    learner = new_learner(config, world, 0)
    try:
        for observation in (world.reset()[0], world.decide(int(world.action_space.start))[0]):
            feature_ids("what features.active returns", learner.features.active(observation))
    except NotFiniteError as error:
        raise ValueError(f"{config.game}: its first step: {error}") from None
    except (TypeError, ValueError):
        raise
    except Exception as error:  # user code may raise anything
        said = str(error).partition("\n")[0]
        problem = f"{type(error).__name__}: {said}" if said else type(error).__name__
        raise ValueError(
            f"{config.game}: its first step with {config.features}: {problem}"
        ) from None


def learnt_ranges(world: World, rng: np.random.Generator) -> Ranges:
    """Ranges of the observations in `RANGE_STEPS` steps of random play, which are not training."""
    seen, over = [], True
    for _ in range(RANGE_STEPS):
        if over:
            seen.append(world.reset()[0])
        action = int(world.action_space.start + rng.integers(world.action_space.n))
        observation, _, ended, cut = world.decide(action)
        seen.append(observation)
        over = ended or cut
    return ranges_of(world.observation_space, seen)


def _made(kind: str, name: str, registry: Registry, given: Any, offered: Offered) -> Any:
    """A part by its name, or as passed from Python, constructed if it is a class or function."""
    if name != GIVEN:
        return registry.make(name, offered)
    if given is None:
        raise ValueError(f"{kind} was given from Python: give it to phieb.train or phieb.resume")
    is_made = hasattr(given, "learn") or hasattr(given, "observe") or hasattr(given, "active")
    if is_made and not isinstance(given, type):
        return given
    return Part(kind, kind, given, "").made(offered)


def _check_agent_args(config: Config, given: Given) -> None:
    """Settings of the agent's own need an agent that has a parameter for them."""
    if not config.agent_args or given.agent is not None or config.agent == GIVEN:
        return
    if "agent_args" not in AGENTS[config.agent].parameters:
        said = f"agent_args must be empty for agent {config.agent}, got {config.agent_args}"
        raise ValueError(said)


def _features(config: Config, given: Given, offered: Offered) -> FeatureMap:
    made = _made("features", config.features, FEATURES, given.features, offered)
    return feature_map("features", made)


def _agent(made: Any) -> TrainableAgent:
    if not isinstance(made, TrainableAgent):
        raise TypeError(f"agent must be a phieb.learning.TrainableAgent, got {made!r}")
    return made


def _bonus(made: Any) -> Bonus | None:
    if made is not None and not isinstance(made, Bonus):
        raise TypeError(f"bonus must be a phieb.novelty.Bonus, got {made!r}")
    return made
