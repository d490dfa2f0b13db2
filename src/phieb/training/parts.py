"""The parts of a run, made as its settings say: world, features, agent and bonus."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb.features import FEATURES, BlobProst
from phieb.features.protocol import feature_map
from phieb.learning import AGENTS, CompiledLearner, ComposedLearner, Learner, SarsaLambda
from phieb.learning.agent import TrainableAgent
from phieb.learning.dial import Dial
from phieb.novelty import BONUSES, Bonus, PhiBonus
from phieb.sparse.active_set import ActiveSet
from phieb.training.config import Config
from phieb.worlds import Atari, background
from phieb.worlds.gymnasium_world import GymnasiumWorld
from phieb.worlds.world import World


class Offered(Mapping[str, Any]):
    """What parts may be made with, by the names of their parameters.

    All settings of the run, and: `seed` (of the agent's random stream), `observation_space`,
    `shape` (of an observation), `num_actions`, `actions` (the space of actions), `background` (of
    an Atari game), `features` (the map, once it is made), `active_set`, and for agents
    `initial_value`, `scale_reward`, `precision` and `dial`.
    """

    def __init__(self, config: Config, world: World, seed: int) -> None:
        self._config = config
        bonus = config.bonus != "none"  # without one there is nothing to tell apart
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
        """The same, with others in the place of some."""
        self._values.update(more)
        return self

    def __getitem__(self, name: str) -> Any:
        if name == "background" and self._config.is_atari:  # takes seconds to compute
            return background(self._config.game)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._values
        if self._config.is_atari:
            yield "background"

    def __len__(self) -> int:
        return len(list(iter(self)))


def new_world(config: Config, seed: int | None) -> World:
    """The game, with the settings of a run."""
    if not config.is_atari:
        return GymnasiumWorld(config.game, seed)
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


def new_learner(config: Config, world: World, seed: int) -> Learner:
    """Features, agent and bonus, compiled together where that can be."""
    offered = Offered(config, world, seed)
    features = feature_map("features", FEATURES.make(config.features, offered))
    offered.with_(features=features, active_set=ActiveSet())
    agent = _agent(AGENTS.make(config.agent, offered))
    offered.with_(seed=seed % 2**63, active_set=None)
    if isinstance(features, BlobProst) and isinstance(agent, SarsaLambda):
        if config.bonus == "none":
            return CompiledLearner(features, agent, None, config.bonus_for)
        if config.bonus == "phi":
            shared: PhiBonus = BONUSES.make("phi", offered.with_(active_set=agent.active_set))
            return CompiledLearner(features, agent, shared, config.bonus_for)
    bonus = _bonus(BONUSES.make(config.bonus, offered))
    return ComposedLearner(features, agent, bonus, config.bonus_for)


def _agent(made: Any) -> TrainableAgent:
    if not isinstance(made, TrainableAgent):
        raise TypeError(f"agent must be a phieb.learning.TrainableAgent, got {made!r}")
    return made


def _bonus(made: Any) -> Bonus | None:
    if made is not None and not isinstance(made, Bonus):
        raise TypeError(f"bonus must be a phieb.novelty.Bonus, got {made!r}")
    return made


def peek(learner: Learner, active: NDArray[np.int64]) -> float:
    """The φ-EB that these features would earn; nothing is counted. 0 with another bonus."""
    bonus = learner.bonus
    return bonus.peek(active)[1] if isinstance(bonus, PhiBonus) else 0.0
