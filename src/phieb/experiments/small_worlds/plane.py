"""Tile coding in the plane: the same agent with 1, 4 and 16 tilings, and with both counts.

The tabular worlds of `plan` have one active feature, for which the two counts are equal.
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
# `per_feature` of each agent's bonus; all agents but ε-greedy have optimistic initial weights.
AGENTS: dict[str, bool | None] = {
    EPSILON: None,
    OPTIMISTIC: None,
    PRODUCT: False,
    PER_FEATURE: True,
}


class Outcome(NamedTuple):
    """Result of `STEPS` steps of an agent.

    Attributes:
        cells: number of cells of the square that it visited.
        goals: number of times it reached the goal.
    """

    cells: int
    goals: int


def run_agent(agent: str, tilings: int, seed: int) -> Outcome:
    """Run an agent with a number of tilings, whose tiles are as wide as a cell."""
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
    return Outcome(len(cells), goals)


def run(num_seeds: int, advance: Callable[[], None]) -> list[dict[str, Any]]:
    """Results of all agents with all tilings, as JSON values; calls `advance` after each."""
    found = []
    for agent in AGENTS:
        for tilings in TILINGS:
            outcomes = [run_agent(agent, tilings, seed) for seed in range(num_seeds)]
            advance()
            found.append(
                {
                    "agent": agent,
                    "tilings": tilings,
                    "setting": {"beta": BETA, "gamma": GAMMA, "steps": STEPS},
                    "seeds": [0, num_seeds],
                    "cells": [one.cells for one in outcomes],
                    "goals": [one.goals for one in outcomes],
                }
            )
    return found


def num_jobs() -> int:
    """How often `run` calls `advance`."""
    return len(AGENTS) * len(TILINGS)
