"""Tile coding in the plane: the same agent with 1, 4 and 16 tilings, both counts, one β.

The small worlds of `small_plan` have one active feature, where the two counts are the same.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from phieb.experiments.counts.walks import Recorder
from phieb.experiments.small_worlds.plan import EPSILON, OPTIMISTIC
from phieb.features import Tiles
from phieb.learning import SarsaLambda
from phieb.novelty import PhiBonus
from phieb.training.episode import run_episode
from phieb.worlds import Plane

SIZE, NOISE, STEPS = 16, 0.25, 4_000
TILINGS = (1, 4, 16)
BETA, GAMMA = 0.02, 0.95
PRODUCT, PER_FEATURE = "Sarsa-φ-EB, product", "Sarsa-φ-EB, per feature"
# The count of each agent that has a bonus; all but ε-greedy start from optimistic weights.
AGENTS: dict[str, bool | None] = {
    EPSILON: None,
    OPTIMISTIC: None,
    PRODUCT: False,
    PER_FEATURE: True,
}


class Life(NamedTuple):
    """What came of `STEPS` steps.

    Attributes:
        cells: how many of the square's cells the agent has been in.
        goals: how often it reached the goal.
    """

    cells: int
    goals: int


def live(agent: str, tilings: int, seed: int) -> Life:
    """One agent, with so many tilings of tiles as wide as a cell."""
    world, per_feature = Plane(SIZE, NOISE), AGENTS[agent]
    world.reset(seed=2 * seed)
    bonus = None if per_feature is None else PhiBonus(BETA, per_feature=per_feature)
    start = 0.0 if agent == EPSILON else PhiBonus(BETA).largest
    actions = world.action_space
    sarsa = SarsaLambda(actions, gamma=GAMMA, initial_value=start, seed=2 * seed + 1)
    features = Tiles(world.observation_space, SIZE, tilings)
    recorder, goals = Recorder(world, STEPS), 0
    while not recorder.full:
        goals += int(run_episode(recorder, features, sarsa, bonus).score)
    cells = {tuple(position) for position in np.floor(recorder.observations).tolist()}
    return Life(len(cells), goals)


def run(num_seeds: int, advance: Callable[[], None]) -> list[dict[str, Any]]:
    """All agents with all tilings, as JSON would have it; calls `advance` after each."""
    found = []
    for agent in AGENTS:
        for tilings in TILINGS:
            lives = [live(agent, tilings, seed) for seed in range(num_seeds)]
            advance()
            found.append(
                {
                    "agent": agent,
                    "tilings": tilings,
                    "setting": {"beta": BETA, "gamma": GAMMA, "steps": STEPS},
                    "seeds": [0, num_seeds],
                    "cells": [one.cells for one in lives],
                    "goals": [one.goals for one in lives],
                }
            )
    return found


def num_jobs() -> int:
    """How often `run` calls `advance`."""
    return len(AGENTS) * len(TILINGS)
